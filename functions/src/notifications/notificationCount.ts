import { updateOwned } from '@tattoo-marketplace/collections';
import { selectProfile } from '../users.ts';

/**
 * Resets a user's counter of new notifications. Throws `not-found` if the user does not exist.
 * Reads the counter first: nothing is written if it is already 0, and the precondition prevents a
 * delayed commit from erasing later notifications.
 */
export async function resetNewNotificationsCount(callerId: string): Promise<void> {
  await updateOwned(
    selectProfile(callerId),
    ({ newNotificationsCount }) =>
      newNotificationsCount === 0 ? undefined : { newNotificationsCount: 0 },
    { fields: ['newNotificationsCount'] },
  );
}

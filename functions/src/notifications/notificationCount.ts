import { updateOwnDocument } from '@tattoo-marketplace/collections';
import { decodePrimitive, encodeValue } from '@tattoo-marketplace/firestore-rest';
import { users } from '../users.ts';

/**
 * Resets a user's counter of new notifications. Throws `not-found` if the user does not exist.
 * Reads the counter first: nothing is written if it is already 0, and the precondition prevents a
 * delayed commit from erasing later notifications.
 */
export async function resetNewNotificationsCount(caller: string): Promise<void> {
  await updateOwnDocument(
    { collection: users, caller },
    ['newNotificationsCount'],
    ({ newNotificationsCount }) =>
      decodePrimitive(newNotificationsCount) === 0
        ? undefined
        : { newNotificationsCount: encodeValue(0) },
  );
}

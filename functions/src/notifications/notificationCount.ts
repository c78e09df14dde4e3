import { HttpsError } from 'firebase-functions/https';
import { updateDocument } from '@tattoo-marketplace/collections';
import { decodePrimitive, encodeValue } from '@tattoo-marketplace/firestore-rest';
import { users } from '../users.ts';

/**
 * Resets a user's counter of new notifications. Throws `not-found` if the user does not exist.
 * Reads the counter first: nothing is written if it is already 0, and the precondition prevents a
 * delayed commit from erasing later notifications.
 */
export async function resetNewNotificationsCount(uid: string): Promise<void> {
  await updateDocument({ collection: users, id: uid }, ['newNotificationsCount'], (stored) => {
    if (stored === undefined) {
      throw new HttpsError('not-found', 'There is no profile for this account.');
    }
    const isZero = decodePrimitive(stored.newNotificationsCount) === 0;
    return isZero ? undefined : { newNotificationsCount: encodeValue(0) };
  });
}

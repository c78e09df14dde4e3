import { HttpsError } from 'firebase-functions/https';
import { changeDocument } from '../documents/optimistic.ts';
import { fromValue, toValue } from '@tattoo-marketplace/firestore-rest';

/**
 * Sets a user's number of new notifications to 0; throws `not-found` if the user does not exist. The counter is read
 * first: if it is 0 nothing is written, and a delayed commit cannot erase notifications that were counted since.
 */
export async function resetNewNotificationsCount(uid: string): Promise<void> {
  await changeDocument(`users/${uid}`, ['newNotificationsCount'], (stored) => {
    if (stored === undefined) {
      throw new HttpsError('not-found', 'There is no profile for this account.');
    }
    const isReset = fromValue(stored.newNotificationsCount) === 0;
    return isReset ? undefined : { newNotificationsCount: toValue(0) };
  });
}

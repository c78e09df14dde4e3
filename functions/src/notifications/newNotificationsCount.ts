import { HttpsError } from 'firebase-functions/https';
import * as z from 'zod';
import { wholeNumber } from '@tattoo-marketplace/endpoints';
import { changeDocument, collection } from '@tattoo-marketplace/collections';
import { fromValue, toValue } from '@tattoo-marketplace/firestore-rest';

const users = collection('users', {
  purpose: '`newNotificationsCount` is the number of notifications that a user has not seen.',
  schema: z.object({ id: z.string(), newNotificationsCount: wholeNumber.optional() }),
});

/**
 * Sets a user's number of new notifications to 0; throws `not-found` if the user does not exist. The counter is read
 * first: if it is 0 nothing is written, and a delayed commit cannot erase notifications that were counted since.
 */
export async function resetNewNotificationsCount(uid: string): Promise<void> {
  await changeDocument({ collection: users, id: uid }, ['newNotificationsCount'], (stored) => {
    if (stored === undefined) {
      throw new HttpsError('not-found', 'There is no profile for this account.');
    }
    const isReset = fromValue(stored.newNotificationsCount) === 0;
    return isReset ? undefined : { newNotificationsCount: toValue(0) };
  });
}

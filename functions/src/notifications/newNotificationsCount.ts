import { HttpsError } from 'firebase-functions/https';
import * as z from 'zod';
import { safeInteger } from '@tattoo-marketplace/endpoints';
import { updateDocument, defineCollection } from '@tattoo-marketplace/collections';
import { decodePrimitive, encodeValue } from '@tattoo-marketplace/firestore-rest';

const users = defineCollection('users', {
  description: 'Each has a counter of notifications.',
  schema: z.object({
    id: z.string(),
    newNotificationsCount: safeInteger
      .optional()
      .describe('The number of notifications that the user has not seen.'),
  }),
});

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

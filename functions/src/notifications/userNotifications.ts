import { HttpsError } from 'firebase-functions/https';
import { firestore } from '../firestore.ts';
import { isNotFound } from '../http/errors.ts';
import { recordWrites } from '../http/requestRecord.ts';

/**
 * Sets a user's counter of new notifications to 0; throws `not-found` where there is no such user. Nothing is read:
 * an update of a document that is missing is refused by Firestore itself.
 */
export async function resetCounter(uid: string): Promise<void> {
  try {
    await firestore().collection('users').doc(uid).update({ newNotificationsCount: 0 });
    recordWrites(1);
  } catch (error) {
    if (isNotFound(error)) {
      throw new HttpsError('not-found', 'There is no profile for this account.');
    }
    throw error;
  }
}

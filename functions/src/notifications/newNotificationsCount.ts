import { HttpsError } from 'firebase-functions/https';
import { updateExisting } from '../firestore/documents.ts';
import { toFields } from '../firestore/values.ts';

/**
 * Sets a user's number of new notifications to 0; throws `not-found` where there is no such user. Nothing is read: it
 * does not depend on what is stored.
 */
export async function resetNewNotificationsCount(uid: string): Promise<void> {
  if (await updateExisting(`users/${uid}`, toFields({ newNotificationsCount: 0 }))) return;
  throw new HttpsError('not-found', 'There is no profile for this account.');
}

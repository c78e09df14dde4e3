import { HttpsError } from 'firebase-functions/https';
import { changeDocument } from '../documents/optimistic.ts';
import { requireOwner } from '../documents/ownedDocuments.ts';
import { elementsOf, fromValue } from '@tattoo-marketplace/firestore-rest';

/**
 * Removes the first session with this number from a booking of the caller, and leaves the others exactly as they are
 * stored. Throws `not-found` if there is no such booking or session, and `permission-denied` if the booking belongs to
 * another artist.
 */
export async function removeSession(
  bookingId: string,
  sessionNumber: number,
  caller: string,
): Promise<void> {
  await changeDocument(`bookings/${bookingId}`, ['artistId', 'sessions'], (stored) => {
    if (stored === undefined) {
      throw new HttpsError('not-found', 'bookingId names a document that does not exist.');
    }
    requireOwner(stored.artistId, caller, 'bookingId');
    const sessions = elementsOf(stored.sessions);
    const index = sessions.findIndex(
      ({ mapValue }) => fromValue(mapValue?.fields?.sessionNumber) === sessionNumber,
    );
    if (index < 0) {
      throw new HttpsError('not-found', `The booking has no session ${sessionNumber}.`);
    }
    return { sessions: { arrayValue: { values: sessions.toSpliced(index, 1) } } };
  });
}

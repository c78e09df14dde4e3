import { HttpsError } from 'firebase-functions/https';
import { changeDocument } from '../firestore/optimistic.ts';
import { requireOwner } from '../firestore/ownedDocuments.ts';
import { elementsOf, fromValue, Unchanged } from '../firestore/values.ts';

/**
 * Removes the first session with this number from a booking of the caller's own; the others stay as they are, value for
 * value. Throws `not-found` where there is no such booking or session, `permission-denied` where the booking is another
 * artist's.
 */
export async function removeSession(
  bookingId: string,
  sessionNumber: number,
  caller: string,
): Promise<void> {
  await changeDocument(`bookings/${bookingId}`, ['artistId', 'sessions'], (stored, mayBeDone) => {
    if (stored === undefined) {
      // What is gone after a commit that may have been done, is done.
      if (mayBeDone) return undefined;
      throw new HttpsError('not-found', 'bookingId names nothing that exists.');
    }
    requireOwner(stored.artistId, caller, 'bookingId');
    const sessions = elementsOf(stored.sessions);
    const index = sessions.findIndex(
      ({ mapValue }) => fromValue(mapValue?.fields?.sessionNumber ?? {}) === sessionNumber,
    );
    if (index >= 0) {
      const values = sessions.toSpliced(index, 1);
      return { sessions: new Unchanged({ arrayValue: { values } }) };
    }
    if (mayBeDone) return undefined;
    throw new HttpsError('not-found', `The booking has no session ${sessionNumber}.`);
  });
}

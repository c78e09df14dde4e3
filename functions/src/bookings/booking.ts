import { HttpsError } from 'firebase-functions/https';
import { changeOwned } from '../firestore/ownedDocuments.ts';
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
  const named = { id: bookingId, field: 'bookingId' };
  await changeOwned(
    { collection: 'bookings', named, owner: caller },
    ['sessions'],
    (stored, mayBeDone) => {
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
    },
  );
}

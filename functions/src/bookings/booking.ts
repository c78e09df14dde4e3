import { HttpsError } from 'firebase-functions/https';
import { firestore } from '../firestore.ts';
import { readOwned } from '../ownership.ts';
import { inTransaction } from '../transaction.ts';

/**
 * Removes a session from a booking of the caller's; the others keep their numbers and all their fields. Throws
 * `not-found` where there is no such booking or session, `permission-denied` where it is another artist's.
 */
export async function removeSession(
  bookingId: string,
  sessionNumber: number,
  caller: string,
): Promise<void> {
  const bookings = firestore().collection('bookings');
  let found = false;
  await inTransaction(async (attempt) => {
    const named = { id: bookingId, field: 'bookingId' };
    const [booking] = await readOwned(attempt, bookings, [named], caller, ['sessions']);
    const sessions = sessionsOf(booking?.get('sessions'));
    const others = sessions.filter((session) => session?.sessionNumber !== sessionNumber);
    if (others.length === sessions.length) {
      // An earlier attempt removed it: only the answer to its commit was lost.
      if (found) return;
      throw new HttpsError('not-found', `The booking has no session ${sessionNumber}.`);
    }
    found = true;
    attempt.update(bookings.doc(bookingId), { sessions: others });
  });
}

/** A stored session: whatever was stored, kept as it is. */
type Session = { readonly sessionNumber?: unknown } | null;

/** The stored sessions; none where what is stored is no list. */
function sessionsOf(stored: unknown): Session[] {
  return Array.isArray(stored) ? (stored as Session[]) : [];
}

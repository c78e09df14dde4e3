/** What is said of a session that does not exist; test/contract has what a deletion does. */
import { HttpsError } from 'firebase-functions/https';
import { removeSession } from '../../functions/src/bookings/booking.ts';
import { documents, scriptedFirestore } from '../support/scriptedFirestore.ts';

const firestore = scriptedFirestore();

test('a session that a booking does not have is named', async () => {
  firestore.play(documents({ 'bookings/b': { artistId: { stringValue: 'alice' } } }));

  await expect(firestore.within(() => removeSession('b', 3, 'alice'))).rejects.toEqual(
    new HttpsError('not-found', 'The booking has no session 3.'),
  );
});

/** What a refused deletion of a session says; test/service/contract has what a deletion does. */
import { HttpsError } from 'firebase-functions/https';
import { removeSession } from '../../functions/src/bookings/booking.ts';
import { documents, scriptedFirestore } from '../support/scriptedFirestore.ts';

const firestore = scriptedFirestore();

const artistId = { stringValue: 'alice' };
const fields = { sessionNumber: { integerValue: '1' } };
const sessions = { arrayValue: { values: [{ mapValue: { fields } }] } };
const noSession = new HttpsError('not-found', 'The booking has no session 3.');

test.each([
  ['there is no such session', { artistId, sessions }, noSession],
  ['there are no sessions', { artistId }, noSession],
  [
    'it is another artist’s',
    { artistId: { stringValue: 'bob' }, sessions },
    new HttpsError('permission-denied', 'bookingId names a document that is not yours.'),
  ],
])('if %s, nothing is written', async (_what, booking, error) => {
  firestore.play(documents({ 'bookings/b': booking }));

  await expect(firestore.within(() => removeSession('b', 3, 'alice'))).rejects.toEqual(error);
  expect(firestore.seen).toHaveLength(1);
});

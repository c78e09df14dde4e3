/** How a session is removed from a booking, whatever else is stored in it. */
import { HttpsError } from 'firebase-functions/https';
import { removeSession } from '../../functions/src/bookings/booking.ts';
import {
  committed,
  documents,
  kindOf,
  nameOf,
  scriptedFirestore,
} from '../support/scriptedFirestore.ts';

const firestore = scriptedFirestore();

const artistId = { stringValue: 'alice' };

/** A stored session; its other values would be lost or rounded in JavaScript. */
function session(sessionNumber: object) {
  const fields = {
    sessionNumber,
    startsAt: { timestampValue: '2026-01-02T03:04:05.678901Z' },
    id: { integerValue: '9007199254740993' },
  };
  return { mapValue: { fields } };
}

const [ONE, TWO, HALF] = [
  session({ integerValue: '1' }),
  session({ integerValue: '2' }),
  session({ doubleValue: 1.5 }),
];
const NOT_SESSIONS = [
  { nullValue: null },
  { stringValue: '2' },
  { mapValue: {} },
  session({ stringValue: '2' }),
];

/** The response to a read of the booking with these sessions. */
function booking(...values: readonly object[]) {
  return documents({ 'bookings/b': { artistId, sessions: { arrayValue: { values } } } });
}

async function remove(sessionNumber: number): Promise<void> {
  await firestore.within(() => removeSession('b', sessionNumber, 'alice'));
}

/** The sessions of the last commit. */
function written(): unknown {
  const { body } = firestore.seen.findLast(({ path }) => kindOf(path) === 'commit') ?? {};
  return body;
}

function writeOf(...values: readonly object[]) {
  return {
    writes: [
      {
        update: { name: nameOf('bookings/b'), fields: { sessions: { arrayValue: { values } } } },
        updateMask: { fieldPaths: ['sessions'] },
        currentDocument: { updateTime: 'one' },
      },
    ],
  };
}

test('the others stay exactly as they are stored, also what is no session', async () => {
  firestore.play(booking(...NOT_SESSIONS, ONE, TWO, HALF), committed());

  await remove(2);

  expect(written()).toEqual(writeOf(...NOT_SESSIONS, ONE, HALF));
  expect(firestore.seen[0]?.body).toMatchObject({ mask: { fieldPaths: ['artistId', 'sessions'] } });
});

const noSession = new HttpsError('not-found', 'The booking has no session 3.');

test.each([
  ['there is no such session', booking(ONE, TWO), noSession],
  ['there are no sessions', documents({ 'bookings/b': { artistId } }), noSession],
  [
    'it is another artist’s',
    documents({ 'bookings/b': { artistId: { stringValue: 'bob' } } }),
    new HttpsError('permission-denied', 'bookingId names a document that is not yours.'),
  ],
])('is refused if %s, and nothing is written', async (_what, stored, error) => {
  firestore.play(stored);

  await expect(remove(3)).rejects.toEqual(error);
  expect(firestore.seen).toHaveLength(1);
});

import { GeoPoint, Timestamp } from 'firebase-admin/firestore';
import { signedIn, type SignedIn } from '../support/accounts.ts';
import { call, type Answer } from '../support/api.ts';
import { storedBooking, storedSession } from '../support/factories.ts';
import { freshId, stackFirestore, store } from '../support/firestore.ts';

const PATH = '/bookings/delete-session';

describe('POST /bookings/delete-session', () => {
  const firestore = stackFirestore();

  async function storedFor(
    fields: Readonly<Record<string, unknown>> = {},
  ): Promise<{ alice: SignedIn; bookingId: string }> {
    const alice = await signedIn();
    const bookingId = freshId('booking');
    await store(firestore, 'bookings', {
      [bookingId]: storedBooking({ artistId: alice.uid, ...fields }),
    });
    return { alice, bookingId };
  }

  async function deleteSession(
    caller: SignedIn,
    bookingId: string,
    sessionNumber: unknown,
  ): Promise<Answer> {
    return call('POST', PATH, { token: caller.token, body: { bookingId, sessionNumber } });
  }

  async function data(bookingId: string) {
    return (await firestore.doc(`bookings/${bookingId}`).get()).data();
  }

  test('removes the session and keeps the others as they are, their numbers too', async () => {
    const { alice, bookingId } = await storedFor();

    const answer = await deleteSession(alice, bookingId, 2);

    expect(answer).toMatchObject({
      status: 200,
      body: { message: 'Session 2 was deleted from the booking.', bookingId },
    });
    expect(await data(bookingId)).toEqual(
      storedBooking({ artistId: alice.uid, sessions: [1, 3].map(storedSession) }),
    );
  });

  test('says truly that the session is gone when it is sent again', async () => {
    const { alice, bookingId } = await storedFor();
    await deleteSession(alice, bookingId, 2);

    const again = await deleteSession(alice, bookingId, 2);

    expect(again).toMatchObject({
      status: 404,
      body: { message: 'The booking has no session 2.' },
    });
    expect(await data(bookingId)).toMatchObject({ sessions: [1, 3].map(storedSession) });
  });

  test('loses no other session when 20 are deleted at once', async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
    const { alice, bookingId } = await storedFor({ sessions: numbers.map(storedSession) });

    const answers = await Promise.all(
      numbers.map((number) => deleteSession(alice, bookingId, number)),
    );

    expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 200));
    expect(await data(bookingId)).toEqual(storedBooking({ artistId: alice.uid, sessions: [] }));
  });

  test('keeps whatever else is stored among the sessions', async () => {
    const odd = [null, 'text', { sessionNumber: '2' }, storedSession(2), { note: 'no number' }];
    const { alice, bookingId } = await storedFor({ sessions: odd });

    const { status } = await deleteSession(alice, bookingId, 2);

    expect(status).toBe(200);
    expect(await data(bookingId)).toMatchObject({ sessions: odd.toSpliced(3, 1) });
  });

  test('removes a session of any number, and keeps the others to the last digit', async () => {
    const kept = {
      ...storedSession(2),
      startTime: new Timestamp(1_780_000_000, 123_456_000),
      place: new GeoPoint(48.2, -16.4),
      artist: firestore.doc('users/alice'),
      photo: Buffer.from([0, 255]),
      price: -0.5,
      gap: null,
    };
    const { alice, bookingId } = await storedFor({ sessions: [storedSession(1.5), kept] });

    const answer = await deleteSession(alice, bookingId, 1.5);

    expect(answer).toMatchObject({
      status: 200,
      body: { message: 'Session 1.5 was deleted from the booking.', bookingId },
    });
    expect(await data(bookingId)).toEqual(storedBooking({ artistId: alice.uid, sessions: [kept] }));
  });

  test.each([
    ['bookingId', { bookingId: 'a/b', sessionNumber: 1 }, /^bookingId must be an id/],
    ['bookingId', { bookingId: 7, sessionNumber: 1 }, /^bookingId must be a string\.$/],
    ['sessionNumber', { bookingId: 'a', sessionNumber: '1' }, /^sessionNumber must be a number\.$/],
    [
      'sessionNumber',
      { bookingId: 'a', sessionNumber: null },
      /^sessionNumber must be a number\.$/,
    ],
  ])('refuses a %s that is not valid', async (_what, body, message) => {
    const { token } = await signedIn();

    expect(await call('POST', PATH, { token, body })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(message) as string },
    });
  });

  test.each([0, 4, -1, 1.5])('finds no session %d, and changes nothing', async (sessionNumber) => {
    const { alice, bookingId } = await storedFor();

    const answer = await deleteSession(alice, bookingId, sessionNumber);

    expect(answer).toMatchObject({
      status: 404,
      body: { message: `The booking has no session ${sessionNumber}.` },
    });
    expect(await data(bookingId)).toEqual(storedBooking({ artistId: alice.uid }));
  });

  test.each([undefined, 'none', {}])('finds no session where %j is stored', async (sessions) => {
    const alice = await signedIn();
    const bookingId = freshId('booking');
    const booking = { artistId: alice.uid, ...(sessions !== undefined && { sessions }) };
    await store(firestore, 'bookings', { [bookingId]: booking });

    expect((await deleteSession(alice, bookingId, 1)).status).toBe(404);
    expect(await data(bookingId)).toEqual(booking);
  });

  test('finds nothing where there is no such booking', async () => {
    const alice = await signedIn();

    expect(await deleteSession(alice, freshId('booking'), 1)).toMatchObject({
      status: 404,
      body: { message: 'bookingId names a document that does not exist.' },
    });
  });

  test('refuses another artist and the booking’s client, whatever session they name', async () => {
    const [bob, carol] = await Promise.all([signedIn(), signedIn()]);
    const { alice, bookingId } = await storedFor({ clientId: carol.uid });

    const answers = await Promise.all(
      [bob, carol].flatMap((caller) => [1, 99].map((n) => deleteSession(caller, bookingId, n))),
    );

    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(
      Array.from({ length: 4 }, () => ({
        status: 403,
        body: { message: 'bookingId names a document that is not yours.' },
      })),
    );
    expect(await data(bookingId)).toEqual(
      storedBooking({ artistId: alice.uid, clientId: carol.uid }),
    );
  });
});

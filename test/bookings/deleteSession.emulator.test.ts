import { FirestoreValue } from '../emulator/firestore/store.ts';
import { signedIn, type SignedIn } from '../support/accounts.ts';
import { call, type JsonResponse } from '../support/api.ts';
import { storedBooking, storedSession } from '../support/factories.ts';
import { freshId, stackStore } from '../support/firestore.ts';

const PATH = '/bookings/delete-session';

describe('POST /bookings/delete-session', () => {
  const store = stackStore();

  async function storedFor(
    fields: Readonly<Record<string, unknown>> = {},
  ): Promise<{ alice: SignedIn; bookingId: string }> {
    const alice = await signedIn();
    const bookingId = freshId('booking');
    await store.setIn('bookings', {
      [bookingId]: storedBooking({ artistId: alice.uid, ...fields }),
    });
    return { alice, bookingId };
  }

  async function deleteSession(
    caller: SignedIn,
    bookingId: string,
    sessionNumber: unknown,
  ): Promise<JsonResponse> {
    return call('POST', PATH, { token: caller.token, body: { bookingId, sessionNumber } });
  }

  async function data(bookingId: string) {
    return await store.get(`bookings/${bookingId}`);
  }

  test('removes the session, and leaves the others and their numbers unchanged', async () => {
    const { alice, bookingId } = await storedFor();

    const response = await deleteSession(alice, bookingId, 2);

    expect(response).toMatchObject({
      status: 200,
      body: { message: 'Session 2 was deleted from the booking.', bookingId },
    });
    expect(await data(bookingId)).toEqual(
      storedBooking({ artistId: alice.uid, sessions: [1, 3].map(storedSession) }),
    );
  });

  test('returns 404 when it is repeated', async () => {
    const { alice, bookingId } = await storedFor();
    await deleteSession(alice, bookingId, 2);

    const again = await deleteSession(alice, bookingId, 2);

    expect(again).toMatchObject({
      status: 404,
      body: { message: 'The booking has no session 2.' },
    });
    expect(await data(bookingId)).toMatchObject({ sessions: [1, 3].map(storedSession) });
  });

  test('deletes exactly the named sessions when 20 are deleted concurrently', async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
    const { alice, bookingId } = await storedFor({ sessions: numbers.map(storedSession) });

    const responses = await Promise.all(
      numbers.map((number) => deleteSession(alice, bookingId, number)),
    );

    expect(responses.map(({ status }) => status)).toEqual(numbers.map(() => 200));
    expect(await data(bookingId)).toEqual(storedBooking({ artistId: alice.uid, sessions: [] }));
  });

  test('preserves all other values among the sessions', async () => {
    const odd = [null, 'text', { sessionNumber: '2' }, storedSession(2), { note: 'no number' }];
    const { alice, bookingId } = await storedFor({ sessions: odd });

    const { status } = await deleteSession(alice, bookingId, 2);

    expect(status).toBe(200);
    expect(await data(bookingId)).toMatchObject({ sessions: odd.toSpliced(3, 1) });
  });

  test('removes a session with any number, and preserves the others to the last digit', async () => {
    const kept = {
      ...storedSession(2),
      startTime: new FirestoreValue({ timestampValue: '2026-05-28T20:26:40.123456Z' }),
      place: new FirestoreValue({ geoPointValue: { latitude: 48.2, longitude: -16.4 } }),
      artist: new FirestoreValue({ referenceValue: store.nameOf('users/alice') }),
      photo: new FirestoreValue({ bytesValue: 'AP8=' }),
      price: -0.5,
      gap: null,
    };
    const { alice, bookingId } = await storedFor({ sessions: [storedSession(1.5), kept] });

    const response = await deleteSession(alice, bookingId, 1.5);

    expect(response).toMatchObject({
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
  ])('refuses an invalid %s', async (_what, body, message) => {
    const { token } = await signedIn();

    expect(await call('POST', PATH, { token, body })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(message) as string },
    });
  });

  test.each([0, 4, -1, 1.5])(
    'returns 404 for session %d, and changes nothing',
    async (sessionNumber) => {
      const { alice, bookingId } = await storedFor();

      const response = await deleteSession(alice, bookingId, sessionNumber);

      expect(response).toMatchObject({
        status: 404,
        body: { message: `The booking has no session ${sessionNumber}.` },
      });
      expect(await data(bookingId)).toEqual(storedBooking({ artistId: alice.uid }));
    },
  );

  test.each([undefined, 'none', {}])(
    'returns 404 if the stored sessions are %j',
    async (sessions) => {
      const alice = await signedIn();
      const bookingId = freshId('booking');
      const booking = { artistId: alice.uid, ...(sessions !== undefined && { sessions }) };
      await store.setIn('bookings', { [bookingId]: booking });

      expect((await deleteSession(alice, bookingId, 1)).status).toBe(404);
      expect(await data(bookingId)).toEqual(booking);
    },
  );

  test('returns 404 for a missing booking', async () => {
    const alice = await signedIn();

    expect(await deleteSession(alice, freshId('booking'), 1)).toMatchObject({
      status: 404,
      body: { message: 'bookingId names a document that does not exist.' },
    });
  });

  test('refuses other artists and the booking’s client, for existing and missing sessions', async () => {
    const [bob, carol] = await Promise.all([signedIn(), signedIn()]);
    const { alice, bookingId } = await storedFor({ clientId: carol.uid });

    const responses = await Promise.all(
      [bob, carol].flatMap((caller) => [1, 99].map((n) => deleteSession(caller, bookingId, n))),
    );

    expect(responses.map(({ status, body }) => ({ status, body }))).toEqual(
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

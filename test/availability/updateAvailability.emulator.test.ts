import { signedIn, type SignedIn } from '../support/accounts.ts';
import { call, type JsonResponse } from '../support/api.ts';
import { storedAvailability } from '../support/factories.ts';
import { freshId, stackStore } from '../support/firestore.ts';

const PATH = '/availability/update-availability';
const FROM = Date.UTC(2026, 5, 1);

/** A schedule as sent by an app. */
function sentAvailability(fields: Readonly<Record<string, unknown>> = {}) {
  return {
    artistId: 'artist-alice',
    availabilityId: 'availability-alice',
    isActive: false,
    weeklySlots: { Sunday: [], Tuesday: [{ from: 1, to: 2, note: null }], Friday: 'closed' },
    dateRangeType: 'indefinitely',
    effectiveFrom: FROM,
    createdAt: 1,
    updatedAt: 2,
    ...fields,
  };
}

describe('POST /availability/update-availability', () => {
  const store = stackStore();

  /** A stored schedule and its artist. */
  async function storedFor(): Promise<{ alice: SignedIn; availabilityId: string }> {
    const alice = await signedIn();
    const availabilityId = freshId('availability');
    await store.setIn('availability', {
      [availabilityId]: storedAvailability({ artistId: alice.uid }),
    });
    return { alice, availabilityId };
  }

  async function update(caller: SignedIn, body: object): Promise<JsonResponse> {
    return call('POST', PATH, { token: caller.token, body });
  }

  async function data(availabilityId: string) {
    return await store.get(`availability/${availabilityId}`);
  }

  test('replaces the schedule, removes omitted fields and preserves the creation time', async () => {
    const { alice, availabilityId } = await storedFor();
    const sent = sentAvailability({ artistId: alice.uid, availabilityId });
    const before = Date.now();

    const response = await update(alice, { ...sent, artistName: 'unknown fields are ignored' });

    expect(response).toMatchObject({ status: 200, body: { success: true } });
    const { updatedAt, ...stored } = (await data(availabilityId)) ?? {};
    expect(stored).toEqual({
      artistId: alice.uid,
      availabilityId: 'another',
      isActive: false,
      weeklySlots: sent.weeklySlots,
      dateRangeType: 'indefinitely',
      effectiveFrom: FROM,
      createdAt: storedAvailability().createdAt,
    });
    expect(updatedAt).toBeGreaterThanOrEqual(before);
    expect(updatedAt).toBeLessThanOrEqual(Date.now());
  });

  test.each([
    ['specific', { effectiveUntil: FROM + 1 }, { effectiveUntil: FROM + 1 }],
    ['rolling', { rollingDays: 366 }, { rollingDays: 366 }],
    ['rolling', { rollingDays: '30' }, { rollingDays: 30 }],
    [
      'rolling',
      { rollingDays: 1, effectiveUntil: FROM + 5 },
      { rollingDays: 1, effectiveUntil: FROM + 5 },
    ],
  ])('stores a %s schedule with %j', async (dateRangeType, fields, expected) => {
    const { alice, availabilityId } = await storedFor();

    const { status } = await update(
      alice,
      sentAvailability({ artistId: alice.uid, availabilityId, dateRangeType, ...fields }),
    );

    expect(status).toBe(200);
    expect(await data(availabilityId)).toMatchObject({ dateRangeType, ...expected });
  });

  test.each([
    ['artistId', { artistId: 'a/b' }, /^artistId must be an id/],
    ['availabilityId', { availabilityId: '..' }, /^availabilityId must be an id/],
    ['isActive', { isActive: 'true' }, /^isActive must be true or false\.$/],
    ['weeklySlots', { weeklySlots: [] }, /^weeklySlots must be an object\.$/],
    ['a day', { weeklySlots: { monday: [] } }, /^weeklySlots must only have the keys Sunday, /],
    [
      'a list in a list',
      { weeklySlots: { Monday: { a: [[1]] } } },
      /^weeklySlots\.Monday\.a\[0\] must not be an array directly inside an array\.$/,
    ],
    [
      'a reserved name',
      { weeklySlots: { Monday: { __a__: 1 } } },
      /^weeklySlots\.Monday must not have a field whose name is empty, reserved or too long\.$/,
    ],
    ['an empty name', { weeklySlots: { Monday: { '': 1 } } }, /^weeklySlots\.Monday must not have/],
    [
      'unpaired surrogates',
      { weeklySlots: { Monday: ['\ud800'] } },
      /^weeklySlots\.Monday\[0\] must be valid Unicode\.$/,
    ],
    [
      'dateRangeType',
      { dateRangeType: 'forever' },
      /^dateRangeType must be one of indefinitely, specific, rolling\.$/,
    ],
    ['effectiveFrom', { effectiveFrom: '1' }, /^effectiveFrom must be a number\.$/],
    ['an impossible time', { effectiveFrom: 1e300 }, /^effectiveFrom must be a time: /],
    ['createdAt', { createdAt: null }, /^createdAt must be a number\.$/],
    ['updatedAt', { updatedAt: {} }, /^updatedAt must be a number\.$/],
    [
      'no end',
      { dateRangeType: 'specific' },
      /^effectiveUntil is required if dateRangeType is specific\.$/,
    ],
    [
      'an end before the start',
      { dateRangeType: 'specific', effectiveUntil: FROM },
      /^effectiveUntil must be later than effectiveFrom\.$/,
    ],
    ...[undefined, null].map(
      (rollingDays) =>
        [
          `${String(rollingDays)} days`,
          { dateRangeType: 'rolling', rollingDays },
          /^rollingDays is required if dateRangeType is rolling\.$/,
        ] as const,
    ),
    [
      'null as the end',
      { dateRangeType: 'specific', effectiveUntil: null },
      /^effectiveUntil is required if dateRangeType is specific\.$/,
    ],
    ...[0, 367, 1.5, -1, '', '0', '1.5', '1e1', ' 7', '9999', true].map(
      (rollingDays) =>
        [
          `${JSON.stringify(rollingDays)} days`,
          { dateRangeType: 'rolling', rollingDays },
          /^rollingDays must be an integer from 1 to 366\.$/,
        ] as const,
    ),
  ] as const)('refuses %s that is invalid, and changes nothing', async (_what, fields, message) => {
    const { alice, availabilityId } = await storedFor();

    const response = await update(
      alice,
      sentAvailability({ artistId: alice.uid, availabilityId, ...fields }),
    );

    expect(response).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(message) as string },
    });
    expect(await data(availabilityId)).toEqual(storedAvailability({ artistId: alice.uid }));
  });

  /** A value with a number of levels. */
  function nested(levels: number): unknown {
    return Array.from({ length: levels - 1 }).reduce<unknown>((value) => ({ a: value }), {});
  }

  test('accepts as many levels as Firestore stores, and no more', async () => {
    const { alice, availabilityId } = await storedFor();
    const sent = (levels: number) =>
      update(
        alice,
        sentAvailability({
          artistId: alice.uid,
          availabilityId,
          weeklySlots: { Monday: nested(levels) },
        }),
      );

    expect((await sent(19)).status).toBe(200);
    expect(await sent(20)).toMatchObject({
      status: 400,
      body: { message: 'weeklySlots must not be nested deeper than 20 levels.' },
    });
  });

  test.each([
    [
      '5000 values',
      { Monday: Array.from({ length: 4_999 }, () => 1) },
      /^weeklySlots must not have more than 5000 values\.$/,
    ],
    [
      '100 000 bytes',
      { Monday: 'x'.repeat(99_988) },
      /^weeklySlots must not be longer than 100000 bytes\.$/,
    ],
  ])('refuses a week of more than %s', async (_what, weeklySlots, message) => {
    const { alice, availabilityId } = await storedFor();

    const response = await update(
      alice,
      sentAvailability({ artistId: alice.uid, availabilityId, weeklySlots }),
    );

    expect(response).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(message) as string },
    });
  });

  test.each([
    ['5000 values', { Monday: Array.from({ length: 4_998 }, () => 1) }],
    ['100 000 bytes', { Monday: 'x'.repeat(99_987) }],
  ])('stores a week of %s', async (_what, weeklySlots) => {
    const { alice, availabilityId } = await storedFor();

    const { status } = await update(
      alice,
      sentAvailability({ artistId: alice.uid, availabilityId, weeklySlots }),
    );

    expect(status).toBe(200);
    expect(await data(availabilityId)).toMatchObject({ weeklySlots });
  });

  test.each([
    ['null', { effectiveUntil: null, rollingDays: null }],
    ['invalid days', { rollingDays: 'some' }],
    ['too many days', { rollingDays: 367 }],
  ])('ignores %s for a kind of schedule without them', async (_what, fields) => {
    const { alice, availabilityId } = await storedFor();

    const { status } = await update(
      alice,
      sentAvailability({ artistId: alice.uid, availabilityId, ...fields }),
    );

    const stored = await data(availabilityId);
    expect(status).toBe(200);
    expect(stored).not.toHaveProperty('effectiveUntil');
    expect(stored).not.toHaveProperty('rollingDays');
  });

  test('returns 404 for a missing schedule, and does not create one', async () => {
    const alice = await signedIn();
    const availabilityId = freshId('availability');

    const response = await update(alice, sentAvailability({ artistId: alice.uid, availabilityId }));

    expect(response).toMatchObject({
      status: 404,
      body: { message: 'availabilityId names a document that does not exist.' },
    });
    expect(await data(availabilityId)).toBeUndefined();
  });

  test('refuses another artist’s schedule, even if the body claims it, and changes nothing', async () => {
    const { alice, availabilityId } = await storedFor();
    const bob = await signedIn();

    const responses = await Promise.all(
      [alice.uid, bob.uid].map((artistId) =>
        update(bob, sentAvailability({ artistId, availabilityId })),
      ),
    );

    expect(responses.map(({ status, body }) => ({ status, body }))).toEqual(
      Array.from({ length: 2 }, () => ({
        status: 403,
        body: { message: 'availabilityId names a document that is not yours.' },
      })),
    );
    expect(await data(availabilityId)).toEqual(storedAvailability({ artistId: alice.uid }));
  });

  test('refuses to give a schedule to another artist', async () => {
    const { alice, availabilityId } = await storedFor();

    const response = await update(alice, sentAvailability({ artistId: 'bob', availabilityId }));

    expect(response).toMatchObject({
      status: 403,
      body: { message: 'artistId must be your own.' },
    });
    expect(await data(availabilityId)).toEqual(storedAvailability({ artistId: alice.uid }));
  });

  test('stores one of two concurrent schedules completely', async () => {
    const { alice, availabilityId } = await storedFor();
    const common = { artistId: alice.uid, availabilityId };
    const one = sentAvailability({ ...common, dateRangeType: 'rolling', rollingDays: 5 });
    const other = sentAvailability({
      ...common,
      isActive: true,
      weeklySlots: {},
      dateRangeType: 'specific',
      effectiveUntil: FROM + 5,
    });

    const responses = await Promise.all([update(alice, one), update(alice, other)]);

    const stored = (await data(availabilityId)) ?? {};
    const expected = stored.isActive === true ? other : one;
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect({ ...stored, createdAt: 1, updatedAt: 2, availabilityId }).toEqual(expected);
  });
});

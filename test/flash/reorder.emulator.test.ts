import { signedIn, type SignedIn } from '../support/accounts.ts';
import { call, type JsonResponse } from '../support/api.ts';
import { storedListing } from '../support/factories.ts';
import { changesOnlyOwned, ownedDocuments } from '../support/ownedDocuments.ts';
import { requiresSignIn } from '../support/signedInEndpoint.ts';

const PATH = '/flash/reorder';

async function reorder(caller: SignedIn, flashUpdates: unknown): Promise<JsonResponse> {
  return call('PUT', PATH, { token: caller.token, body: { flashUpdates } });
}

describe('PUT /flash/reorder', () => {
  requiresSignIn({
    functionId: 'flash-reorder',
    method: 'PUT',
    path: PATH,
    body: { flashUpdates: [{ id: 'flash-alice', order: 1 }] },
  });

  changesOnlyOwned({
    collection: 'flash',
    stored: storedListing,
    field: (index) => `flashUpdates[${index}].id`,
    change: (caller, ids) =>
      reorder(
        caller,
        ids.map((id, index) => ({ id, order: 1000 + index })),
      ),
  });

  const { storedFor, data } = ownedDocuments({ collection: 'flash', stored: storedListing });

  test('changes the order of the named listings and their update time, and nothing else', async () => {
    const { alice, ids } = await storedFor(3);
    const [first = '', second = ''] = ids;
    const before = Date.now();

    const response = await reorder(alice, [
      { id: second, order: 0, artistId: 'another' },
      { id: first, order: Number.MAX_SAFE_INTEGER },
    ]);

    expect(response).toMatchObject({ status: 200, body: { success: true } });
    const updatedAt: unknown = expect.any(Number);
    const listing = storedListing({ artistId: alice.uid });
    const stored = await data(ids);
    expect(stored).toEqual([
      { ...listing, order: Number.MAX_SAFE_INTEGER, updatedAt },
      { ...listing, order: 0, updatedAt },
      { ...listing, order: 2 },
    ]);
    expect(stored[0]?.updatedAt).toBeGreaterThanOrEqual(before);
  });

  test('can be repeated', async () => {
    const { alice, ids } = await storedFor(2);
    const updates = ids.map((id, index) => ({ id, order: 5 - index }));

    const responses = [await reorder(alice, updates), await reorder(alice, updates)];

    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(await data(ids)).toMatchObject([{ order: 5 }, { order: 4 }]);
  });

  test('of two concurrent requests applies one of them last, completely', async () => {
    const { alice, ids } = await storedFor(20);
    const updates = (from: number) => ids.map((id, index) => ({ id, order: from + index }));

    const responses = await Promise.all([
      reorder(alice, updates(100)),
      reorder(alice, updates(200)),
    ]);

    const stored = await data(ids);
    const from = (stored[0]?.order as number) === 100 ? 100 : 200;
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(stored.map((listing) => listing?.order as number)).toEqual(
      updates(from).map(({ order }) => order),
    );
    expect(new Set(stored.map((listing) => listing?.updatedAt as number)).size).toBe(1);
  });

  test.each([
    ['text', 'a', 'flashUpdates must be an array.'],
    ['an object', { 0: { id: 'a', order: 1 } }, 'flashUpdates must be an array.'],
    ['an entry that is null', [null], 'flashUpdates[0] must be an object.'],
    ['no id', [{ order: 1 }], 'flashUpdates[0].id is required.'],
    ['an id that is a number', [{ id: 1, order: 1 }], 'flashUpdates[0].id must be a string.'],
    ['no order', [{ id: 'a', order: 1 }, { id: 'b' }], 'flashUpdates[1].order is required.'],
    [
      'an order that is a string',
      [{ id: 'a', order: '1' }],
      'flashUpdates[0].order must be an integer of 0 or more.',
    ],
    [
      'a negative order',
      [{ id: 'a', order: -1 }],
      'flashUpdates[0].order must be an integer of 0 or more.',
    ],
    [
      'an order that is not an integer',
      [{ id: 'a', order: 0.5 }],
      'flashUpdates[0].order must be an integer of 0 or more.',
    ],
    [
      'an order too large to be exact',
      [{ id: 'a', order: 1e20 }],
      'flashUpdates[0].order must be an integer of 0 or more.',
    ],
    [
      'a repeated id',
      [
        { id: 'a', order: 1 },
        { id: 'b', order: 2 },
        { id: 'a', order: 3 },
      ],
      'flashUpdates[2].id must not be repeated.',
    ],
  ])('refuses %s', async (_what, flashUpdates, message) => {
    expect(await reorder(await signedIn(), flashUpdates)).toMatchObject({
      status: 400,
      body: { message },
    });
  });
});

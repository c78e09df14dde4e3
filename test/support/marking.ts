import { signedIn, type SignedIn } from './accounts.ts';
import { call, type JsonResponse } from './api.ts';
import { storedListing } from './factories.ts';
import { changesOnlyOwned, ownedDocuments } from './ownedDocuments.ts';

/** Calls one of the two endpoints that mark listings. */
export async function mark(
  path: string,
  caller: SignedIn,
  flashIds: unknown,
): Promise<JsonResponse> {
  return call('PUT', path, { token: caller.token, body: { flashIds } });
}

/** Tests for both endpoints that mark listings. */
export function marksListings(path: string, isAvailable: boolean): void {
  changesOnlyOwned({
    collection: 'flash',
    stored: (fields) => storedListing({ isAvailable: !isAvailable, ...fields }),
    field: (index) => `flashIds[${index}]`,
    change: (caller, ids) => mark(path, caller, ids),
  });

  const { storedFor, data } = ownedDocuments({ collection: 'flash', stored: storedListing });

  test('marks the named listings, sets their update time, and changes nothing else', async () => {
    const { alice, ids } = await storedFor(3);
    const before = Date.now();

    const response = await mark(path, alice, ids.slice(0, 2));

    expect(response).toMatchObject({ status: 200, body: { success: true, updatedCount: 2 } });
    const updatedAt: unknown = expect.any(Number);
    const stored = await data(ids);
    expect(stored).toEqual([
      storedListing({ artistId: alice.uid, order: 0, isAvailable, updatedAt }),
      storedListing({ artistId: alice.uid, order: 1, isAvailable, updatedAt }),
      storedListing({ artistId: alice.uid, order: 2 }),
    ]);
    expect(stored[0]?.updatedAt).toBeGreaterThanOrEqual(before);
  });

  test('counts a repeated id once, and can be repeated', async () => {
    const { alice, ids } = await storedFor(2);
    const repeated = [...ids, ...ids, ...ids];

    const responses = [await mark(path, alice, repeated), await mark(path, alice, repeated)];

    expect(responses.map(({ status, body }) => ({ status, body }))).toEqual(
      Array.from({ length: 2 }, () => ({ status: 200, body: { success: true, updatedCount: 2 } })),
    );
    expect(await data(ids)).toMatchObject([{ isAvailable }, { isAvailable }]);
  });

  test.each([
    ['text', 'a', 'flashIds must be an array.'],
    ['null', null, 'flashIds must be an array.'],
    ['a number as an id', ['a', 7], 'flashIds[1] must be a string.'],
    ['a list as an id', [['a']], 'flashIds[0] must be a string.'],
  ])('refuses %s for ids', async (_what, flashIds, message) => {
    expect(await mark(path, await signedIn(), flashIds)).toMatchObject({
      status: 400,
      body: { message },
    });
  });
}

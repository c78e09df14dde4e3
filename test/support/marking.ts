import type { SignedIn } from './accounts.ts';
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
  changesOnlyOwned(
    {
      collection: 'flash',
      stored: (fields) => storedListing({ isAvailable: !isAvailable, ...fields }),
      field: (index) => `flashIds[${index}]`,
      change: (caller, ids) => mark(path, caller, ids),
    },
    isAvailable,
  );

  const { storedFor, data } = ownedDocuments({ collection: 'flash', stored: storedListing });

  test('marks the named listings, sets their update time, and changes nothing else', async () => {
    const { alice, ids } = await storedFor(3);
    const before = Date.now();

    const answer = await mark(path, alice, ids.slice(0, 2));

    expect(answer).toMatchObject({ status: 200, body: { success: true, updatedCount: 2 } });
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

    const answers = [await mark(path, alice, repeated), await mark(path, alice, repeated)];

    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(
      Array.from({ length: 2 }, () => ({ status: 200, body: { success: true, updatedCount: 2 } })),
    );
    expect(await data(ids)).toMatchObject([{ isAvailable }, { isAvailable }]);
  });
}

import { signedIn, type SignedIn } from './accounts.ts';
import type { JsonResponse } from './api.ts';
import { freshId, stackStore } from './firestore.ts';

/** An endpoint that changes the documents named by a list in the body. */
export interface OwnedDocuments {
  readonly collection: string;
  /** A complete stored document. */
  readonly stored: (fields: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /** The name of a list entry in error messages: `flashIds[3]`. */
  readonly field: (index: number) => string;
  /** Calls the endpoint with a list of ids. */
  readonly change: (caller: SignedIn, ids: readonly string[]) => Promise<JsonResponse>;
}

/** Stored documents of one artist, by id. */
export interface StoredFor {
  readonly alice: SignedIn;
  readonly ids: readonly string[];
}

/** Stores documents and reads them back. */
export function ownedDocuments({
  collection,
  stored,
}: Pick<OwnedDocuments, 'collection' | 'stored'>) {
  const store = stackStore();
  return {
    storedFor: async (count: number): Promise<StoredFor> => {
      const alice = await signedIn();
      const ids = Array.from({ length: count }, () => freshId('owned'));
      await store.setIn(
        collection,
        Object.fromEntries(ids.map((id, order) => [id, stored({ artistId: alice.uid, order })])),
      );
      return { alice, ids };
    },
    data: async (ids: readonly string[]) => {
      return store.getAll(ids.map((id) => `${collection}/${id}`));
    },
  };
}

/**
 * Tests for every endpoint that changes documents named by a list: all or nothing, and only the owner's. The endpoints
 * share the code for it: one of them runs all tests, the others one.
 */
export function changesOnlyOwned(
  { collection, stored, field, change }: OwnedDocuments,
  isFull = false,
): void {
  const { storedFor, data } = ownedDocuments({ collection, stored });

  test('changes nothing if one of 100 documents belongs to another artist', async () => {
    const { alice, ids } = await storedFor(99);
    const { ids: foreign } = await storedFor(1);
    const before = await data([...ids, ...foreign]);

    const answer = await change(alice, ids.toSpliced(57, 0, ...foreign));

    expect(answer).toMatchObject({
      status: 403,
      body: { message: `${field(57)} names a document that is not yours.` },
    });
    expect(await data([...ids, ...foreign])).toEqual(before);
  });

  if (!isFull) return;

  test('changes nothing if one of 100 documents does not exist', async () => {
    const { alice, ids } = await storedFor(99);
    const before = await data(ids);

    const answer = await change(alice, ids.toSpliced(57, 0, freshId('nothing')));

    expect(answer).toMatchObject({
      status: 404,
      body: { message: `${field(57)} names a document that does not exist.` },
    });
    expect(await data(ids)).toEqual(before);
  });

  test('refuses documents of another artist', async () => {
    const { ids } = await storedFor(3);
    const before = await data(ids);

    const answer = await change(await signedIn(), ids);

    expect(answer.status).toBe(403);
    expect(await data(ids)).toEqual(before);
  });

  test('accepts 500 entries, and refuses none and 501', async () => {
    const { alice, ids } = await storedFor(500);

    const none = await change(alice, []);
    const tooMany = await change(alice, [...ids, freshId('more')]);
    const { status } = await change(alice, ids);

    const message = expect.stringMatching(/^\w+ must have 1 to 500 \w+\.$/) as string;
    expect(none).toMatchObject({ status: 400, body: { message } });
    expect(tooMany).toMatchObject({ status: 400, body: { message } });
    expect(status).toBe(200);
  });

  test.each(['', '..', 'a/b', 'a/private/k', '__x__', 'x'.repeat(1501)])(
    'refuses the id “%s”, and changes nothing',
    async (id) => {
      const { alice, ids } = await storedFor(1);
      const before = await data(ids);

      const answer = await change(alice, [...ids, id]);

      expect(answer).toMatchObject({ status: 400 });
      expect(
        (answer.body as { message: string }).message.startsWith(`${field(1)} must be an id`),
      ).toBe(true);
      expect(await data(ids)).toEqual(before);
    },
  );
}

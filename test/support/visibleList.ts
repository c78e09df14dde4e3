import { get, type JsonResponse } from './api.ts';
import { freshId, stackStore } from './firestore.ts';

/** A public list of an artist's visible documents: flash or gallery. */
export interface VisibleList {
  readonly collection: string;
  /** The field of the response that has the elements. */
  readonly elements: string;
  /** A complete stored document. */
  readonly stored: (fields: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /** Two fields of the stored document that are times. */
  readonly times: readonly [string, string];
}

type Page = { hasMore: boolean; nextCursor?: string; total: number } & Record<string, unknown>;

interface Element {
  readonly id: string;
}

/**
 * Tests for every list of an artist's visible documents. The lists share the code for pages: one of them runs all tests,
 * the others those that depend on their documents.
 */
export function behavesAsVisibleList(
  { collection, elements, stored, times }: VisibleList,
  isFull = false,
): void {
  const store = stackStore();

  async function page(artistId: string, query = ''): Promise<JsonResponse<Page>> {
    return get(`/${collection}/artist/${encodeURIComponent(artistId)}/paginated${query}`);
  }

  function elementsOf({ body }: JsonResponse<Page>): readonly Element[] {
    return body[elements] as readonly Element[];
  }

  function idsOf(answer: JsonResponse<Page>): string[] {
    return elementsOf(answer).map(({ id }) => id);
  }

  /** Stores the documents for the artist, the first with order 0, and returns their ids. */
  async function storeFor(
    artistId: string,
    documents: readonly Readonly<Record<string, unknown>>[],
  ): Promise<string[]> {
    const entries = documents.map(
      (fields, order) =>
        [
          `${artistId}-${String(order).padStart(3, '0')}`,
          stored({ artistId, order, ...fields }),
        ] as const,
    );
    await store.setIn(collection, Object.fromEntries(entries));
    return entries.map(([id]) => id);
  }

  async function walk(artistId: string, limit: number): Promise<JsonResponse<Page>[]> {
    const pages = [await page(artistId, `?limit=${limit}`)];
    for (let last = pages[0]?.body; last?.hasMore; last = pages.at(-1)?.body) {
      pages.push(await page(artistId, `?limit=${limit}&cursor=${last.nextCursor ?? ''}`));
    }
    return pages;
  }

  test('returns every visible element once over its pages, by order, then id', async () => {
    const artistId = freshId('artist');
    // Three documents per order: the id decides their sequence, also across pages.
    const ids = await storeFor(
      artistId,
      Array.from({ length: 23 }, (_, index) => ({ order: 100 - Math.floor(index / 3) })),
    );
    const inOrder = ids
      .map((id, index) => ({ id, order: 100 - Math.floor(index / 3) }))
      .sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1))
      .map(({ id }) => id);

    const pages = await walk(artistId, 5);

    expect(pages.flatMap(idsOf)).toEqual(inOrder);
    expect(pages.map((answer) => idsOf(answer).length)).toEqual([5, 5, 5, 5, 3]);
    expect(pages.map(({ body }) => body.total)).toEqual([23, 23, 23, 23, 23]);
    expect(pages.map(({ body }) => body.nextCursor)).toEqual([
      inOrder[4],
      inOrder[9],
      inOrder[14],
      inOrder[19],
      undefined,
    ]);
  });

  test('neither returns nor counts documents that are hidden or belong to others', async () => {
    const artistId = freshId('artist');
    const [shown] = await storeFor(artistId, [
      {},
      { isVisible: false },
      { isVisible: 'true' },
      { artistId: freshId('artist') },
    ]);

    const answer = await page(artistId);

    expect(idsOf(answer)).toEqual([shown]);
    expect(answer.body).toMatchObject({ total: 1, hasMore: false });
  });

  test('is empty for an unknown artist', async () => {
    const answer = await page(freshId('nobody'));

    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({ [elements]: [], hasMore: false, total: 0 });
  });

  test('returns the stored fields, with the id of the document', async () => {
    const artistId = freshId('artist');
    const document = stored({ artistId });
    const [id] = await storeFor(artistId, [{ ...document, id: 'another', secret: 'x' }]);

    expect(elementsOf(await page(artistId))).toEqual([{ ...document, id }]);
  });

  test('returns a stored Timestamp in milliseconds', async () => {
    const artistId = freshId('artist');
    const ms = Date.UTC(2026, 4, 5, 6, 7, 8, 9);
    const [time, nested] = times;
    await storeFor(artistId, [
      {
        [time]: new Date(ms),
        sourceData: { [nested]: new Date(ms + 1) },
      },
    ]);

    expect(elementsOf(await page(artistId))).toMatchObject([
      { [time]: ms, sourceData: { [nested]: ms + 1 } },
    ]);
  });

  test('omits values of a wrong type without losing other elements', async () => {
    const artistId = freshId('artist');
    const ids = await storeFor(artistId, [
      {},
      {
        artistName: 7,
        tags: ['kept', 5, null, 'too'],
        sourceData: { caption: { a: 1 }, permalink: 'https://social.example.com/p/9' },
        [times[0]]: 'yesterday',
        source: null,
      },
      { sourceData: 'none', tags: 'none' },
    ]);

    const answer = await page(artistId);
    const [, mixed, bare] = elementsOf(answer);

    expect(answer.status).toBe(200);
    expect(idsOf(answer)).toEqual(ids);
    expect(mixed).toMatchObject({
      tags: ['kept', 'too'],
      sourceData: { permalink: 'https://social.example.com/p/9' },
      artistUsername: 'alice.ink',
    });
    expect(mixed).not.toHaveProperty('artistName');
    expect(mixed).not.toHaveProperty('sourceData.caption');
    expect(mixed).not.toHaveProperty(times[0]);
    expect(mixed).not.toHaveProperty('source');
    expect(bare).not.toHaveProperty('sourceData');
    expect(bare).not.toHaveProperty('tags');
  });

  test('refuses a cursor that is not in the list', async () => {
    const artistId = freshId('artist');
    const [shown, hidden, foreign] = await storeFor(artistId, [
      {},
      { isVisible: false },
      { artistId: freshId('artist') },
    ]);

    const answers = await Promise.all(
      [freshId('nothing'), hidden, foreign].map((cursor) =>
        page(artistId, `?cursor=${cursor ?? ''}`),
      ),
    );

    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(
      Array.from({ length: 3 }, () => ({
        status: 400,
        body: { message: 'cursor is not an element of this list.' },
      })),
    );
    expect((await page(artistId, `?cursor=${shown ?? ''}`)).status).toBe(200);
  });

  if (!isFull) return;

  test('returns 20 elements by default, and 50 at most', async () => {
    const artistId = freshId('artist');
    await storeFor(
      artistId,
      Array.from({ length: 51 }, () => ({})),
    );

    expect(idsOf(await page(artistId))).toHaveLength(20);
    expect(idsOf(await page(artistId, '?limit=50'))).toHaveLength(50);
    expect(idsOf(await page(artistId, '?limit=1'))).toHaveLength(1);
  });

  test('has no next page if the last element fills the page', async () => {
    const artistId = freshId('artist');
    const ids = await storeFor(artistId, [{}, {}]);

    const answer = await page(artistId, '?limit=2');

    expect(idsOf(answer)).toEqual(ids);
    expect(answer.body.hasMore).toBe(false);
    expect(answer.body).not.toHaveProperty('nextCursor');
  });

  test('accepts an artist id with spaces, punctuation and any script', async () => {
    const artistId = freshId('артист & co? #1 +%');
    const ids = await storeFor(artistId, [{}]);

    expect(idsOf(await page(artistId))).toEqual(ids);
  });

  test('is empty after its last element', async () => {
    const artistId = freshId('artist');
    const ids = await storeFor(artistId, [{}, {}]);

    const answer = await page(artistId, `?cursor=${ids[1] ?? ''}`);

    expect(answer.body).toEqual({ [elements]: [], hasMore: false, total: 2 });
  });

  test.each(['0', '', '51', '-1', 'abc', '1.5', '1e1', '0x10', '%20', '1&limit=2'])(
    'refuses ?limit=%s',
    async (limit) => {
      const answer = await page('artist-alice', `?limit=${limit}`);

      expect(answer).toMatchObject({
        status: 400,
        body: { message: 'limit must be an integer from 1 to 50.' },
      });
    },
  );

  test.each(['', '..', 'a%2Fb', '__x__', 'a'.repeat(1501)])(
    'refuses ?cursor=%s',
    async (cursor) => {
      const answer = await page('artist-alice', `?cursor=${cursor}`);

      expect(answer).toMatchObject({
        status: 400,
        body: { message: expect.stringMatching(/^cursor must be an id/) as string },
      });
    },
  );

  test('continues at the same element when earlier ones were added or removed', async () => {
    const artistId = freshId('artist');
    const ids = await storeFor(artistId, [{}, {}, {}, {}]);
    const first = await page(artistId, '?limit=2');

    await store.delete(`${collection}/${ids[0] ?? ''}`);
    await store.setIn(collection, { [freshId('new')]: stored({ artistId, order: -1 }) });
    const second = await page(artistId, `?limit=2&cursor=${first.body.nextCursor ?? ''}`);

    expect(idsOf(second)).toEqual(ids.slice(2));
  });
}

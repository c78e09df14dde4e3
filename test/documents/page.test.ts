/**
 * What is cached of lists, and how they are read in parts. test/contract has what their pages are, and
 * test/service/cost what is read for them.
 */
import type { Query } from '@tattoo-marketplace/firestore-rest';
import {
  readCountedPage,
  readInParts,
  type OrderedQuery,
} from '../../functions/src/documents/page.ts';
import { HttpError } from '../../functions/src/errors.ts';
import {
  byKind,
  counted,
  documents,
  found,
  kindOf,
  nameOf,
  scriptedFirestore,
} from '../support/scriptedFirestore.ts';
import { respondsWith } from '../support/scriptedServer.ts';

const firestore = scriptedFirestore();
let lists = 0;
let query: OrderedQuery;

beforeEach(() => {
  process.env.PAGE_CACHE_SECONDS = '60';
  query = freshQuery();
});

/** A list that no other test counts. */
function freshQuery(): OrderedQuery {
  lists += 1;
  return {
    collection: 'things',
    where: { artistId: `alice-${lists}`, isVisible: true },
    orderBy: 'order',
    select: ['order'],
  };
}

/** The fields of an element. */
function element(of = query) {
  return {
    artistId: { stringValue: String(of.where.artistId) },
    isVisible: { booleanValue: true },
    order: { integerValue: '1' },
  };
}

function elements(...ids: readonly string[]) {
  return found(Object.fromEntries(ids.map((id) => [`things/${id}`, element()])));
}

/** Reads a page of a list with these elements, as many as are counted. */
async function read(ids: readonly string[], total: number, limit = 2, cursor?: string, of = query) {
  firestore.play(
    byKind({
      batchGet: documents({ [`${of.collection}/${String(cursor)}`]: element(of) }),
      runQuery: elements(...ids),
      runAggregationQuery: counted(total),
    }),
  );
  const page = await firestore.within(() => readCountedPage(of, { limit, cursor }));
  return { ...page, documents: page.documents.map(({ id }) => id).join() };
}

/** The kinds of calls that were made, in alphabetical order. */
function calls(): string[] {
  return firestore.seen.map(({ path }) => kindOf(path)).sort();
}

/** The query that was sent. */
function sentQuery(): unknown {
  const { body } = firestore.seen.find(({ path }) => kindOf(path) === 'runQuery') ?? {};
  return (body as { structuredQuery?: unknown } | undefined)?.structuredQuery;
}

test.each([
  ['added', 2, 1],
  ['removed', 3, 3],
])('a first page is right if an element was %s after the count', async (_what, limit, total) => {
  const page = { documents: 'a,b', total: 2, hasMore: false };

  expect(await read(['a', 'b'], total, limit)).toEqual(page);
});

test('what has no place in the order of a list is no cursor, and nothing more is read', async () => {
  firestore.play(documents({ 'things/a': { ...element(), order: undefined } }));

  await expect(
    firestore.within(() => readCountedPage(query, { limit: 2, cursor: 'a' })),
  ).rejects.toEqual(new HttpError('cursor-not-found', 'cursor is not an element of this list.'));
  expect(calls()).toEqual(['batchGet']);
});

test.each([
  ['as the count says', ['a', 'b'], 5, { total: 5, hasMore: false }],
  ['at least what is seen', ['a', 'b', 'c'], 1, { total: 3, hasMore: true, nextCursor: 'b' }],
])(
  'a first page of a list that was counted recently has a look-ahead, and a total %s',
  async (_what, ids, total, expected) => {
    await read(['a', 'b'], total);

    expect(await read(ids, 0)).toMatchObject(expected);
    expect(calls()).toEqual(['runQuery']);
    expect(sentQuery()).toMatchObject({ limit: 3 });
  },
);

test('a count is used until a page that old may no longer be cached, for its own list', async () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(1_000_000);
  const totalOf = async (total: number, of = query) => (await read(['b'], total, 2, 'a', of)).total;

  expect(await totalOf(5)).toBe(5);
  expect(await totalOf(6, freshQuery())).toBe(6);
  expect(await totalOf(7, { ...query, collection: 'others' })).toBe(7);
  now.mockReturnValue(1_059_999);
  expect(await totalOf(8)).toBe(5);
  now.mockReturnValue(1_060_000);
  expect(await totalOf(9)).toBe(9);
});

test('a cursor that was given out needs no read, even if its document is gone', async () => {
  await read(['b', 'c', 'd'], 9, 2, 'a');

  expect(await read(['d'], 9, 2, 'c')).toMatchObject({ documents: 'd' });
  expect(calls()).toEqual(['runQuery']);
  expect(sentQuery()).toMatchObject({
    select: { fields: [{ fieldPath: 'order' }] },
    startAt: { values: [{ integerValue: '1' }, { referenceValue: nameOf('things/c') }] },
  });
});

describe('a list that is read in parts', () => {
  async function partsOf(size: number): Promise<string[][]> {
    const all: Query = { collection: 'things', where: {}, select: [] };
    const parts = await firestore.within(() => Array.fromAsync(readInParts(all, size)));
    return parts.map((part) => part.map(({ id }) => id));
  }

  test('comes whole, each part after the last element of the one before', async () => {
    firestore.play(elements('a', 'b'), elements('c'));

    expect(await partsOf(2)).toEqual([['a', 'b'], ['c']]);
    const startAt = { values: [{ referenceValue: nameOf('things/b') }], before: false };
    expect(firestore.seen.map(({ body }) => body)).toMatchObject([
      { structuredQuery: { limit: 2 } },
      { structuredQuery: { limit: 2, startAt } },
    ]);
  });

  test('ends with an empty part if the last element fills a part', async () => {
    firestore.play(elements('a', 'b'), elements());

    expect(await partsOf(2)).toEqual([['a', 'b'], []]);
  });

  test('fails if a part fails', async () => {
    firestore.play(elements('a'), respondsWith({ error: { status: 'PERMISSION_DENIED' } }, 403));

    await expect(partsOf(1)).rejects.toMatchObject({ status: 'PERMISSION_DENIED' });
  });
});

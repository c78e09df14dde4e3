/** How lists are counted, and read in parts; test/service/contract has what their pages are. */
import type { Query } from '../../functions/src/firestore/documents.ts';
import { readCountedPage, readInParts } from '../../functions/src/firestore/page.ts';
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

beforeEach(() => {
  process.env.PAGE_CACHE_SECONDS = '60';
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** A list that no other test counts. */
function freshQuery(): Query {
  lists += 1;
  return {
    collection: 'things',
    where: { artistId: `alice-${lists}`, isVisible: true },
    orderBy: 'order',
    select: ['order'],
  };
}

/** The fields of an element; a field that is undefined is missing. */
function element({ where }: Query, fields: Readonly<Record<string, object | undefined>> = {}) {
  return {
    artistId: { stringValue: String(where.artistId) },
    isVisible: { booleanValue: true },
    order: { integerValue: '1' },
    ...fields,
  };
}

function elements(ids: readonly string[], query = freshQuery()) {
  return found(Object.fromEntries(ids.map((id) => [`${query.collection}/${id}`, element(query)])));
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

const idsOf = (page: { documents: readonly { id: string }[] }) =>
  page.documents.map(({ id }) => id);

describe('a first page', () => {
  test('reads its elements and the count, which says whether there are more', async () => {
    const query = freshQuery();
    firestore.play(
      byKind({ runQuery: elements(['a', 'b'], query), runAggregationQuery: counted(3) }),
    );

    const page = await firestore.within(() => readCountedPage(query, { limit: 2 }));

    expect({ ...page, documents: idsOf(page) }).toEqual({
      documents: ['a', 'b'],
      total: 3,
      hasMore: true,
      nextCursor: 'b',
    });
    expect(calls()).toEqual(['runAggregationQuery', 'runQuery']);
    expect(sentQuery()).toMatchObject({ limit: 2 });
    expect(sentQuery()).not.toHaveProperty('startAt');
  });

  test.each([
    ['the last element fills it', 2, 2],
    ['an element was added after the count', 2, 1],
    ['an element was removed after the count', 3, 3],
  ])('has no next page if %s', async (_what, limit, total) => {
    const query = freshQuery();
    firestore.play(
      byKind({ runQuery: elements(['a', 'b'], query), runAggregationQuery: counted(total) }),
    );

    const page = await firestore.within(() => readCountedPage(query, { limit }));

    expect({ ...page, documents: idsOf(page) }).toEqual({
      documents: ['a', 'b'],
      total: 2,
      hasMore: false,
    });
  });

  test.each([
    ['as the count says', ['a', 'b'], 5, { total: 5, hasMore: false }],
    ['at least what is seen', ['a', 'b', 'c'], 1, { total: 3, hasMore: true, nextCursor: 'b' }],
  ])(
    'of a list that was counted recently has a look-ahead, and a total %s',
    async (_what, ids, total, expected) => {
      const query = freshQuery();
      const first = { runQuery: elements(['a', 'b'], query), runAggregationQuery: counted(total) };
      firestore.play(byKind(first));
      await firestore.within(() => readCountedPage(query, { limit: 2 }));
      firestore.play(byKind({ runQuery: elements(ids, query) }));

      const page = await firestore.within(() => readCountedPage(query, { limit: 2 }));

      expect(page).toMatchObject(expected);
      expect(calls()).toEqual(['runQuery']);
      expect(sentQuery()).toMatchObject({ limit: 3 });
    },
  );
});

describe('a later page', () => {
  const after = (query: Query, ids: readonly string[], total = 9) =>
    byKind({
      batchGet: documents({ 'things/a': element(query) }),
      runQuery: elements(ids, query),
      runAggregationQuery: counted(total),
    });
  const read = (query: Query) =>
    firestore.within(() => readCountedPage(query, { limit: 2, cursor: 'a' }));

  test('uses a count again until a page that old may no longer be cached', async () => {
    const query = freshQuery();
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000_000);
    const read1 = async (total: number) => {
      firestore.play(after(query, ['b'], total));
      return (await read(query)).total;
    };

    const totals = [await read1(5)];
    now.mockReturnValue(1_059_999);
    totals.push(await read1(6));
    now.mockReturnValue(1_060_000);
    totals.push(await read1(7));

    expect(totals).toEqual([5, 5, 7]);
  });

  test('uses no count of another list', async () => {
    const [query, other] = [freshQuery(), freshQuery()];
    const totals = [];
    for (const [each, total] of [
      [query, 5],
      [other, 6],
      [{ ...query, collection: 'others' }, 7],
    ] as const) {
      firestore.play(
        byKind({
          batchGet: documents({ [`${each.collection}/a`]: element(each) }),
          runQuery: elements(['b'], each),
          runAggregationQuery: counted(total),
        }),
      );
      totals.push((await read(each)).total);
    }

    expect(totals).toEqual([5, 6, 7]);
  });
});

describe('a list that is read in parts', () => {
  const query: Query = { collection: 'things', where: {}, select: [] };

  async function partsOf(size: number): Promise<string[][]> {
    return firestore.within(async () => {
      const parts: string[][] = [];
      for await (const part of readInParts(query, size)) parts.push(part.map(({ id }) => id));
      return parts;
    });
  }

  test('comes whole, each part after the last element of the one before', async () => {
    firestore.play(elements(['a', 'b']), elements(['c']));

    expect(await partsOf(2)).toEqual([['a', 'b'], ['c']]);
    expect(firestore.seen.map(({ body }) => body)).toMatchObject([
      { structuredQuery: { limit: 2 } },
      {
        structuredQuery: {
          limit: 2,
          startAt: { values: [{ referenceValue: nameOf('things/b') }], before: false },
        },
      },
    ]);
  });

  test('ends with an empty part if the last element fills a part', async () => {
    firestore.play(elements(['a', 'b']), elements([]));

    expect(await partsOf(2)).toEqual([['a', 'b'], []]);
  });

  test('fails if a part fails', async () => {
    firestore.play(elements(['a']), respondsWith({ error: { status: 'PERMISSION_DENIED' } }, 403));

    await expect(partsOf(1)).rejects.toMatchObject({ status: 'PERMISSION_DENIED' });
  });
});

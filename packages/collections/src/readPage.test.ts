/**
 * Pages and batches of lists, and large items. test/contract tests the contents of pages,
 * test/service/firestoreUsage the reads that they cost.
 */
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { defineCollection } from './defineCollection.ts';
import { readPageWithTotal, readPage, type PageRequest } from './readPage.ts';
import { readInBatches } from './readInBatches.ts';
import {
  respondByMethod,
  respondCount,
  respondBatchGet,
  respondQuery,
  parseMethod,
  toDocumentName,
  respondError,
  useStubFirestore,
} from '../../../test/support/google/stubFirestore.ts';
import type { Responder } from '../../../test/support/google/stubServer.ts';

const firestore = useStubFirestore();

const Thing = z.object({
  id: z.string(),
  artistId: z.string().optional().describe('A field of this test.'),
  isVisible: z.boolean().optional().describe('A field of this test.'),
  order: z.number().optional().describe('A field of this test.'),
});
const things = defineCollection('things', { description: 'Things of this test.', schema: Thing });
const list = things.definePagedList({
  item: Thing,
  filterBy: ['artistId'],
  where: { isVisible: true },
  orderBy: 'order',
});
const entireList = things.defineEntireList({ item: Thing });
const ALICE = { artistId: 'alice' };
/** The stored fields of an item. */
const ITEM_FIELDS = { artistId: { stringValue: 'alice' }, order: { integerValue: '1' } };

/** Creates the response to a query that finds the items with these IDs. */
function createItemsResponse(...ids: readonly string[]) {
  return respondQuery(Object.fromEntries(ids.map((id) => [`things/${id}`, ITEM_FIELDS])));
}

/** Returns the bodies of the calls of one method. */
function getRequestBodies(method: string): unknown[] {
  return firestore.requests
    .filter(({ path }) => parseMethod(path) === method)
    .map(({ body }) => body);
}

test.each<{ name: string; ids: string[]; total: number; expected: object }>([
  {
    name: 'has a next page that the count lacks',
    ids: ['a', 'b', 'c'],
    total: 2,
    expected: { total: 2, nextCursor: 'b' },
  },
  {
    name: 'is the last one although the count is larger',
    ids: ['a', 'b'],
    total: 5,
    expected: { total: 5, hasMore: false },
  },
  {
    name: 'is the last one because it is not full',
    ids: ['a'],
    total: 3,
    expected: { total: 3, hasMore: false },
  },
  {
    name: 'has at least its own items as the total',
    ids: ['a', 'b'],
    total: 1,
    expected: { total: 2, hasMore: false },
  },
])('a first page $name', async ({ ids, total, expected }) => {
  firestore.setResponses(
    respondByMethod({
      runQuery: createItemsResponse(...ids),
      runAggregationQuery: respondCount(total),
    }),
  );

  const page = await firestore.runInRequest(() => readPageWithTotal(list, ALICE, { limit: 2 }));

  expect(page).toMatchObject({ ...expected, items: ids.slice(0, 2).map((id) => ({ id })) });
  expect(getRequestBodies('runQuery')).toMatchObject([{ structuredQuery: { limit: 3 } }]);
});

test('a later page starts after the current position of its cursor', async () => {
  firestore.setResponses(
    respondByMethod({
      batchGet: respondBatchGet({
        'things/a': { ...ITEM_FIELDS, order: { integerValue: '70' } },
      }),
      runQuery: createItemsResponse('b', 'c', 'd'),
      runAggregationQuery: respondCount(1),
    }),
  );

  const request = { limit: 2, cursor: 'a' };
  const page = await firestore.runInRequest(() => readPageWithTotal(list, ALICE, request));

  expect(page).toMatchObject({ total: 2, hasMore: true, nextCursor: 'c' });
  const values = [{ integerValue: '70' }, { referenceValue: toDocumentName('things/a') }];
  expect(getRequestBodies('runQuery')).toMatchObject([
    { structuredQuery: { limit: 3, startAt: { values } } },
  ]);
});

describe('large items', () => {
  const KIB = 1024;

  /** The body of a query. */
  interface Query {
    readonly structuredQuery: {
      readonly limit: number;
      readonly select: { readonly fields: readonly { readonly fieldPath: string }[] };
      readonly startAt?: { readonly values: readonly { readonly referenceValue?: string }[] };
    };
  }

  /** Returns the limits of all queries so far. */
  function getQueryLimits(): number[] {
    return getRequestBodies('runQuery').map((body) => (body as Query).structuredQuery.limit);
  }

  /** Makes the stub respond like a list whose items `0`, `1`, … have strings of these sizes, in bytes. */
  function storeItems(sizes: readonly number[], cursor = '0') {
    const runQuery: Responder = (response, request) => {
      const { limit, select, startAt } = (getRequestBodies('runQuery').at(-1) as Query)
        .structuredQuery;
      const last = startAt?.values.at(-1)?.referenceValue?.split('/').at(-1);
      const start = last === undefined ? 0 : Number(last) + 1;
      const isNameOnly = select.fields[0]?.fieldPath === '__name__';
      const items = sizes.slice(start, start + limit).map((size, index) => {
        const fields = { ...ITEM_FIELDS, text: { stringValue: 'x'.repeat(size) } };
        return [`things/${start + index}`, isNameOnly ? {} : fields] as const;
      });
      respondQuery(Object.fromEntries(items))(response, request);
    };
    const batchGet = respondBatchGet({ [`things/${cursor}`]: ITEM_FIELDS });
    firestore.setResponses(
      respondByMethod({ batchGet, runQuery, runAggregationQuery: respondCount(sizes.length) }),
    );
  }

  /** Lists the same size for this number of items. */
  function repeatSize(count: number, kibibytes: number): number[] {
    return Array<number>(count).fill(kibibytes * KIB);
  }

  test.each<{
    name: string;
    sizes: number[];
    request: PageRequest;
    itemCount: number;
    hasMore: boolean;
    limits: number[];
  }>([
    {
      name: 'items of 45 KiB fit into one page',
      sizes: repeatSize(30, 45),
      request: { limit: 20 },
      itemCount: 20,
      hasMore: true,
      limits: [21],
    },
    {
      name: 'items of 300 KiB are read in smaller pages',
      sizes: repeatSize(60, 300),
      request: { limit: 20 },
      itemCount: 1,
      hasMore: true,
      limits: [21, 6, 2],
    },
    {
      name: 'items of 300 KiB after a cursor are read in smaller pages',
      sizes: repeatSize(60, 300),
      request: { limit: 20, cursor: '0' },
      itemCount: 1,
      hasMore: true,
      limits: [21, 6, 2],
    },
    {
      name: 'items of 900 KiB are read one by one',
      sizes: repeatSize(60, 900),
      request: { limit: 50 },
      itemCount: 1,
      hasMore: true,
      limits: [51, 13, 4, 2, 1, 1],
    },
    {
      name: 'an item of 2 MiB before the last one has a next page',
      sizes: repeatSize(2, 2048),
      request: { limit: 1 },
      itemCount: 1,
      hasMore: true,
      limits: [2, 1, 1],
    },
    {
      name: 'the last item of 2 MiB has no next page',
      sizes: repeatSize(2, 2048),
      request: { limit: 1, cursor: '0' },
      itemCount: 1,
      hasMore: false,
      limits: [2, 1, 1],
    },
    {
      name: 'the last three items of 300 KiB fit into one page',
      sizes: repeatSize(9, 300),
      request: { limit: 9, cursor: '5' },
      itemCount: 3,
      hasMore: false,
      limits: [10],
    },
    {
      name: 'a large item after small ones makes the page smaller',
      sizes: [0, 0, 0, 2048 * KIB],
      request: { limit: 4 },
      itemCount: 1,
      hasMore: true,
      limits: [5, 2],
    },
  ])('$name', async ({ sizes, request, itemCount, hasMore, limits }) => {
    const total = sizes.length;
    storeItems(sizes, request.cursor);

    const page = await firestore.runInRequest(() => readPageWithTotal(list, ALICE, request));

    const start = request.cursor === undefined ? 0 : Number(request.cursor) + 1;
    const ids = Array.from({ length: itemCount }, (_, index) => String(start + index));
    expect(page.items.map(({ id }) => id)).toEqual(ids);
    expect(page).toMatchObject({ total, hasMore });
    expect(page.nextCursor).toBe(hasMore ? ids.at(-1) : undefined);
    expect(getQueryLimits()).toEqual(limits);
    expect(getRequestBodies('runAggregationQuery')).toHaveLength(1);
  });

  test('an item of more than 16 MiB fails with an error that names the list and the cursor', async () => {
    storeItems([0, 17 * KIB * KIB]);

    const page = firestore.runInRequest(() => readPage(list, ALICE, { limit: 1, cursor: '0' }));

    await expect(page).rejects.toThrow(/"collection":"things".*"alice".* after things\/0\.$/);
  });

  test('single items are read for two requests at a time, and for no request that has ended', async () => {
    const openResponses = new Set<ServerResponse>();
    const noItems = respondQuery({});
    firestore.setResponses((response, request) => {
      const { select } = (getRequestBodies('runQuery').at(-1) as Query).structuredQuery;
      if (select.fields[0]?.fieldPath === '__name__') {
        noItems(response, request);
        return;
      }
      openResponses.add(response);
      response.once('close', () => openResponses.delete(response));
      response.write(' '.repeat(2 * KIB * KIB));
    });
    const read = async () => readPage(list, ALICE, { limit: 1 });
    const waitUntil = async (calls: number, openCount: number) => {
      while (firestore.requests.length < calls || openResponses.size !== openCount) {
        await setImmediate();
      }
    };
    const item = { document: { name: toDocumentName('things/0'), updateTime: 'one' } };
    const endOpenResponses = () => {
      for (const response of openResponses) response.end(JSON.stringify([item]));
    };

    // Each request reads two documents, which are too large, and then waits to read one.
    const firstRequests = [firestore.runInRequest(read), firestore.runInRequest(read)];
    await waitUntil(4, 2);
    const { promise: endOfRequest, resolve: endRequest } = Promise.withResolvers<undefined>();
    const endedRequest = firestore.runInRequest(() => Promise.race([read(), endOfRequest]));
    await waitUntil(5, 2);
    const lastRequest = firestore.runInRequest(read);
    await waitUntil(6, 2);
    endRequest(undefined);
    await endedRequest;
    endOpenResponses();
    // The first two requests look for a next item, and the last request reads its single item.
    await waitUntil(9, 1);
    endOpenResponses();

    const pages = await Promise.all([...firstRequests, lastRequest]);
    expect(pages.map(({ items }) => items[0]?.id)).toEqual(['0', '0', '0']);
    expect(firestore.requests).toHaveLength(10);
  });

  test('a batch that exceeds its maximum size is read again with a quarter of its items', async () => {
    const sizes = [...repeatSize(100, 0), ...repeatSize(1600, 5)];
    storeItems(sizes);

    const batches = await firestore.runInRequest(() => Array.fromAsync(readInBatches(entireList)));

    expect(batches.flat().map(({ id }) => id)).toEqual(sizes.map((_, index) => String(index)));
    expect(getQueryLimits().slice(0, 3)).toEqual([100, 1500, 375]);
  });
});

test('a cursor whose document was hidden meanwhile is valid', async () => {
  const hiddenItem = { ...ITEM_FIELDS, isVisible: { booleanValue: false } };
  firestore.setResponses(
    respondByMethod({
      batchGet: respondBatchGet({ 'things/a': hiddenItem }),
      runQuery: createItemsResponse('b'),
    }),
  );

  const page = await firestore.runInRequest(() => readPage(list, ALICE, { limit: 1, cursor: 'a' }));

  expect(page.items).toMatchObject([{ id: 'b' }]);
});

test.each([
  { name: 'does not exist', fields: undefined },
  {
    name: 'belongs to another artist',
    fields: { ...ITEM_FIELDS, artistId: { stringValue: 'bob' } },
  },
  {
    name: 'lacks the field that orders the list',
    fields: { artistId: ITEM_FIELDS.artistId },
  },
])('a cursor whose document $name is rejected, and nothing else is read', async ({ fields }) => {
  firestore.setResponses(respondByMethod({ batchGet: respondBatchGet({ 'things/a': fields }) }));

  const page = firestore.runInRequest(() => readPage(list, ALICE, { limit: 1, cursor: 'a' }));

  await expect(page).rejects.toMatchObject({ code: 'cursor-not-found' });
  expect(getRequestBodies('runQuery')).toEqual([]);
});

describe('readInBatches', () => {
  /** The IDs of the first batch. */
  const firstIds = Array.from({ length: 100 }, (_, index) => `a${index}`);

  /** Reads the entire list while the stub responds with these batches. Returns the IDs of each batch read. */
  async function readBatches(...batches: readonly (readonly string[])[]): Promise<string[][]> {
    firestore.setResponses(...batches.map((ids) => createItemsResponse(...ids)));
    const result = await firestore.runInRequest(() => Array.fromAsync(readInBatches(entireList)));
    return result.map((batch) => batch.map(({ id }) => id));
  }

  test('reads the entire list, each batch after the last item of the previous one', async () => {
    expect(await readBatches(firstIds, [])).toEqual([firstIds, []]);
    expect(await readBatches(firstIds, ['b', 'c'])).toEqual([firstIds, ['b', 'c']]);
    const startAt = { values: [{ referenceValue: toDocumentName('things/a99') }], before: false };
    expect(getRequestBodies('runQuery')).toMatchObject([
      { structuredQuery: { limit: 100 } },
      { structuredQuery: { limit: 1500, startAt } },
    ]);
  });

  test('reads as many items as fit into 4 MiB if they are as large as those before', async () => {
    const largeFields = { text: { stringValue: 'x'.repeat(5 * 1024 * 1024) } };
    const documents = firstIds.map(
      (id, index) => [`things/${id}`, index === 0 ? largeFields : {}] as const,
    );
    firestore.setResponses(respondQuery(Object.fromEntries(documents)), createItemsResponse());

    await firestore.runInRequest(() => Array.fromAsync(readInBatches(entireList)));

    expect(getRequestBodies('runQuery')[1]).toMatchObject({ structuredQuery: { limit: 79 } });
  });

  test('fails if a batch cannot be read', async () => {
    const permissionDenied = respondError('PERMISSION_DENIED', 403);
    firestore.setResponses(createItemsResponse(...firstIds), permissionDenied);

    const result = firestore.runInRequest(() => Array.fromAsync(readInBatches(entireList)));

    await expect(result).rejects.toMatchObject({ status: 'PERMISSION_DENIED' });
  });
});

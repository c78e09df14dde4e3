/** Pages at their edges, and lists in parts. test/contract has what pages are, test/service/firestoreUsage what is read for them. */
import type { ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import * as z from 'zod';
import type { FieldError } from '@tattoo-marketplace/endpoints';
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
} from '../../../dev/testing/stubFirestore.ts';
import type { Responder } from '../../../dev/testing/stubServer.ts';

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
const whole = things.defineEntireList({ item: Thing });
const ALICE = { artistId: 'alice' };
/** The fields of an element of the list. */
const element = { artistId: { stringValue: 'alice' }, order: { integerValue: '1' } };

function elements(...ids: readonly string[]) {
  return respondQuery(Object.fromEntries(ids.map((id) => [`things/${id}`, element])));
}

/** Returns the bodies of the calls of one method. */
function sent(kind: string): unknown[] {
  return firestore.requests
    .filter(({ path }) => parseMethod(path) === kind)
    .map(({ body }) => body);
}

test.each<{ name: string; ids: string[]; total: number; expected: object }>([
  {
    name: 'followed by one that the count lacks',
    ids: ['a', 'b', 'c'],
    total: 2,
    expected: { total: 2, nextCursor: 'b' },
  },
  {
    name: 'the last one, whatever the count says',
    ids: ['a', 'b'],
    total: 5,
    expected: { total: 5, hasMore: false },
  },
  {
    name: 'the last one if it is not full',
    ids: ['a'],
    total: 3,
    expected: { total: 3, hasMore: false },
  },
  {
    name: 'counted with what was added after the count',
    ids: ['a', 'b'],
    total: 1,
    expected: { total: 2, hasMore: false },
  },
])('a first page is $name', async ({ ids, total, expected }) => {
  firestore.setResponses(
    respondByMethod({ runQuery: elements(...ids), runAggregationQuery: respondCount(total) }),
  );

  const page = await firestore.runInRequest(() => readPageWithTotal(list, ALICE, { limit: 2 }));

  expect(page).toMatchObject({ ...expected, items: ids.slice(0, 2).map((id) => ({ id })) });
  expect(sent('runQuery')).toMatchObject([{ structuredQuery: { limit: 3 } }]);
});

test('a later page starts where the document of its cursor stands now', async () => {
  const batchGet = respondBatchGet({ 'things/a': { ...element, order: { integerValue: '70' } } });
  const found = { runQuery: elements('b', 'c', 'd'), runAggregationQuery: respondCount(1) };
  firestore.setResponses(respondByMethod({ batchGet, ...found }));

  const request = { limit: 2, cursor: 'a' };
  const page = await firestore.runInRequest(() => readPageWithTotal(list, ALICE, request));

  expect(page).toMatchObject({ total: 2, hasMore: true, nextCursor: 'c' });
  const values = [{ integerValue: '70' }, { referenceValue: toDocumentName('things/a') }];
  expect(sent('runQuery')).toMatchObject([{ structuredQuery: { limit: 3, startAt: { values } } }]);
});

describe('items that are too large together', () => {
  const KIB = 1024;

  /** The body of a query. */
  interface Query {
    readonly structuredQuery: {
      readonly limit: number;
      readonly select: { readonly fields: readonly { readonly fieldPath: string }[] };
      readonly startAt?: { readonly values: readonly { readonly referenceValue?: string }[] };
    };
  }

  /** The limits of all queries so far. */
  function asked(): number[] {
    return sent('runQuery').map((body) => (body as Query).structuredQuery.limit);
  }

  /** Responds like a list whose elements `0`, `1`, … have texts of these sizes. */
  function stores(sizes: readonly number[], cursor = '0') {
    const runQuery: Responder = (response, request) => {
      const { limit, select, startAt } = (sent('runQuery').at(-1) as Query).structuredQuery;
      const last = startAt?.values.at(-1)?.referenceValue?.split('/').at(-1);
      const from = last === undefined ? 0 : Number(last) + 1;
      const isNameOnly = select.fields[0]?.fieldPath === '__name__';
      const part = sizes.slice(from, from + limit).map((size, n) => {
        const fields = { ...element, text: { stringValue: 'x'.repeat(size) } };
        return [`things/${from + n}`, isNameOnly ? {} : fields] as const;
      });
      respondQuery(Object.fromEntries(part))(response, request);
    };
    const batchGet = respondBatchGet({ [`things/${cursor}`]: element });
    firestore.setResponses(
      respondByMethod({ batchGet, runQuery, runAggregationQuery: respondCount(sizes.length) }),
    );
  }

  const all = (number: number, size: number) => Array<number>(number).fill(size * KIB);

  test.each<{
    name: string;
    sizes: number[];
    request: PageRequest;
    expected: number;
    hasMore: boolean;
    limits: number[];
  }>([
    {
      name: 'of 45 kB come whole',
      sizes: all(30, 45),
      request: { limit: 20 },
      expected: 20,
      hasMore: true,
      limits: [21],
    },
    {
      name: 'of 300 kB come in smaller pages',
      sizes: all(60, 300),
      request: { limit: 20 },
      expected: 1,
      hasMore: true,
      limits: [21, 6, 2],
    },
    {
      name: 'of 300 kB after a cursor',
      sizes: all(60, 300),
      request: { limit: 20, cursor: '0' },
      expected: 1,
      hasMore: true,
      limits: [21, 6, 2],
    },
    {
      name: 'of 900 kB one by one',
      sizes: all(60, 900),
      request: { limit: 50 },
      expected: 1,
      hasMore: true,
      limits: [51, 13, 4, 2, 1, 1],
    },
    {
      name: 'of 2 MiB before the last',
      sizes: all(2, 2048),
      request: { limit: 1 },
      expected: 1,
      hasMore: true,
      limits: [2, 1, 1],
    },
    {
      name: 'of 2 MiB, the last one',
      sizes: all(2, 2048),
      request: { limit: 1, cursor: '0' },
      expected: 1,
      hasMore: false,
      limits: [2, 1, 1],
    },
    {
      name: 'that fit with the look-ahead',
      sizes: all(9, 300),
      request: { limit: 9, cursor: '5' },
      expected: 3,
      hasMore: false,
      limits: [10],
    },
    {
      name: 'a large one after small ones',
      sizes: [0, 0, 0, 2048 * KIB],
      request: { limit: 4 },
      expected: 1,
      hasMore: true,
      limits: [5, 2],
    },
  ])('$name', async ({ sizes, request, expected, hasMore, limits }) => {
    const total = sizes.length;
    stores(sizes, request.cursor);

    const page = await firestore.runInRequest(() => readPageWithTotal(list, ALICE, request));

    const from = request.cursor === undefined ? 0 : Number(request.cursor) + 1;
    const ids = Array.from({ length: expected }, (_, n) => String(from + n));
    expect(page.items.map(({ id }) => id)).toEqual(ids);
    expect(page).toMatchObject({ total, hasMore });
    expect(page.nextCursor).toBe(hasMore ? ids.at(-1) : undefined);
    expect(asked()).toEqual(limits);
    expect(sent('runAggregationQuery')).toHaveLength(1);
  });

  test('one that alone is larger than 16 MiB fails, and the error names the list and the cursor', async () => {
    stores([0, 17 * KIB * KIB]);

    const page = firestore.runInRequest(() => readPage(list, ALICE, { limit: 1, cursor: '0' }));

    await expect(page).rejects.toThrow(/"collection":"things".*"alice".* after things\/0\.$/);
  });

  test('single items are read by two requests at a time, and by none that has ended', async () => {
    const open = new Set<ServerResponse>();
    stores([2 * KIB]);
    const body = JSON.stringify([
      { document: { name: toDocumentName('things/0'), updateTime: 'one' } },
    ]);
    const names = respondQuery({});
    firestore.setResponses((response, request) => {
      const { select } = (sent('runQuery').at(-1) as Query).structuredQuery;
      if (select.fields[0]?.fieldPath === '__name__') {
        names(response, request);
        return;
      }
      open.add(response);
      response.once('close', () => open.delete(response));
      response.write(' '.repeat(2 * KIB * KIB));
    });
    const leave = Promise.withResolvers<undefined>();
    const read = async () => readPage(list, ALICE, { limit: 1 });
    const state = async (calls: number, number: number) => {
      while (firestore.requests.length < calls || open.size !== number) await turn();
    };
    const finish = () => {
      for (const response of open) response.end(body);
    };

    // Each request reads two documents, which are too large, and then waits to read one.
    const first = [firestore.runInRequest(read), firestore.runInRequest(read)];
    await state(4, 2);
    const leaving = firestore.runInRequest(() => Promise.race([read(), leave.promise]));
    await state(5, 2);
    const last = firestore.runInRequest(read);
    await state(6, 2);
    leave.resolve(undefined);
    await leaving;
    finish();
    // Two names of the next documents, and the last request's document.
    await state(9, 1);
    finish();

    const pages = await Promise.all([...first, last]);
    expect(pages.map(({ items: [item] }) => item?.id)).toEqual(['0', '0', '0']);
    expect(firestore.requests).toHaveLength(10);
  });

  test('make the parts of a whole list smaller', async () => {
    const sizes = [...all(100, 0), ...all(1600, 5)];
    stores(sizes);

    const parts = await firestore.runInRequest(() => Array.fromAsync(readInBatches(whole)));

    expect(parts.flat().map(({ id }) => id)).toEqual(sizes.map((_, n) => String(n)));
    const [first, second, third] = asked();
    expect([first, second, third]).toEqual([100, 1500, 375]);
  });
});

test.each([
  {
    name: 'has been hidden since leads on',
    fields: { isVisible: { booleanValue: false } },
    expected: ['b'],
  },
  { name: 'has been deleted is rejected', fields: undefined, expected: 'cursor-not-found' },
  {
    name: "is another artist's is rejected",
    fields: { artistId: { stringValue: 'bob' } },
    expected: 'cursor-not-found',
  },
  {
    name: 'has no place in the order is rejected',
    fields: { order: undefined },
    expected: 'cursor-not-found',
  },
])('a cursor whose document $name', async ({ fields, expected }) => {
  const cursor = respondBatchGet({ 'things/a': fields && { ...element, ...fields } });
  firestore.setResponses(respondByMethod({ batchGet: cursor, runQuery: elements('b') }));

  const result = await firestore
    .runInRequest(() => readPage(list, ALICE, { limit: 1, cursor: 'a' }))
    .then(({ items }) => items.map(({ id }) => id))
    .catch((error: unknown) => (error as FieldError).code);

  expect(result).toEqual(expected);
  // If it is rejected, nothing more is read.
  expect(sent('runQuery')).toHaveLength(typeof expected === 'string' ? 0 : 1);
});

describe('a list that is read in parts', () => {
  /** The ids of the first part. */
  const first = Array.from({ length: 100 }, (_, n) => `a${n}`);

  async function partsOf(...parts: readonly (readonly string[])[]): Promise<string[][]> {
    firestore.setResponses(...parts.map((ids) => elements(...ids)));
    const read = await firestore.runInRequest(() => Array.fromAsync(readInBatches(whole)));
    return read.map((part) => part.map(({ id }) => id));
  }

  test('comes whole, each part after the last element of the one before', async () => {
    expect(await partsOf(first, [])).toEqual([first, []]);
    expect(await partsOf(first, ['b', 'c'])).toEqual([first, ['b', 'c']]);
    const startAt = { values: [{ referenceValue: toDocumentName('things/a99') }], before: false };
    expect(sent('runQuery')).toMatchObject([
      { structuredQuery: { limit: 100 } },
      { structuredQuery: { limit: 1500, startAt } },
    ]);
  });

  test('has as many elements in a part as fit into 4 MiB by the size of those before', async () => {
    const large = { text: { stringValue: 'x'.repeat(5 * 1024 * 1024) } };
    const stored = first.map((id, n) => [`things/${id}`, n === 0 ? large : {}] as const);
    firestore.setResponses(respondQuery(Object.fromEntries(stored)), elements());

    await firestore.runInRequest(() => Array.fromAsync(readInBatches(whole)));

    expect(sent('runQuery')[1]).toMatchObject({ structuredQuery: { limit: 79 } });
  });

  test('fails if a part fails', async () => {
    firestore.setResponses(elements(...first), respondError('PERMISSION_DENIED', 403));

    const read = firestore.runInRequest(() => Array.fromAsync(readInBatches(whole)));

    await expect(read).rejects.toMatchObject({ status: 'PERMISSION_DENIED' });
  });
});

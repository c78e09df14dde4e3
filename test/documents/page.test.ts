/** Pages at their edges, and lists in parts. test/contract has what pages are, test/service/cost what is read for them. */
import * as z from 'zod';
import { documentReader } from '../../functions/src/documents/documentReader.ts';
import {
  readCountedPage,
  readInParts,
  readPage,
  type PagedList,
} from '../../functions/src/documents/page.ts';
import {
  byKind,
  counted,
  documents,
  found,
  kindOf,
  nameOf,
  scriptedFirestore,
} from '../support/scriptedFirestore.ts';
import { respondsWith } from '../../dev/shared/scriptedServer.ts';

const firestore = scriptedFirestore();

const list: PagedList<{ id: string; order?: number | undefined }> = {
  collection: 'things',
  owner: { artistId: 'alice' },
  where: { isVisible: true },
  orderBy: 'order',
  reader: documentReader(z.object({ id: z.string(), order: z.number().optional() })),
};
/** The fields of an element of the list. */
const element = { artistId: { stringValue: 'alice' }, order: { integerValue: '1' } };

function elements(...ids: readonly string[]) {
  return found(Object.fromEntries(ids.map((id) => [`things/${id}`, element])));
}

/** What was sent by the calls of a kind. */
function sent(kind: string): unknown[] {
  return firestore.seen.filter(({ path }) => kindOf(path) === kind).map(({ body }) => body);
}

test.each([
  ['as the count says', ['a', 'b'], 5, { total: 5, hasMore: true, nextCursor: 'b' }],
  ['the last one if the count says so', ['a', 'b'], 2, { total: 2, hasMore: false }],
  ['the last one if it is not full', ['a'], 3, { total: 3, hasMore: false }],
  ['counted with what was added after the count', ['a', 'b'], 1, { total: 2, hasMore: false }],
])('a first page is %s, without a look-ahead', async (_what, ids, total, expected) => {
  firestore.play(byKind({ runQuery: elements(...ids), runAggregationQuery: counted(total) }));

  const page = await firestore.within(() => readCountedPage(list, { limit: 2 }));

  expect(page).toMatchObject({ ...expected, elements: ids.map((id) => ({ id })) });
  expect(sent('runQuery')).toMatchObject([{ structuredQuery: { limit: 2 } }]);
});

test('a later page starts where the document of its cursor stands now', async () => {
  const read = { runQuery: elements('b', 'c', 'd'), runAggregationQuery: counted(1) };
  for (const order of ['7', '70']) {
    const cursor = documents({ 'things/a': { ...element, order: { integerValue: order } } });
    firestore.play(byKind({ batchGet: cursor, ...read }));

    const page = await firestore.within(() => readCountedPage(list, { limit: 2, cursor: 'a' }));

    expect(page).toMatchObject({ total: 3, hasMore: true, nextCursor: 'c' });
    const values = [{ integerValue: order }, { referenceValue: nameOf('things/a') }];
    expect(sent('runQuery')).toMatchObject([
      { structuredQuery: { limit: 3, startAt: { values } } },
    ]);
  }
});

describe('a cursor', () => {
  async function pageAfter(fields: object | undefined) {
    const cursor = documents({ 'things/a': fields && { ...element, ...fields } });
    firestore.play(byKind({ batchGet: cursor, runQuery: elements('b') }));
    return firestore.within(() => readPage(list, { limit: 1, cursor: 'a' }));
  }

  test('whose document has been hidden since leads on', async () => {
    const page = await pageAfter({ isVisible: { booleanValue: false } });

    expect(page).toMatchObject({ elements: [{ id: 'b' }], hasMore: false });
  });

  test.each([
    ['has been deleted', undefined],
    ["is another artist's", { artistId: { stringValue: 'bob' } }],
    ['has no place in the order', { order: undefined }],
  ])('whose document %s is refused, and nothing more is read', async (_what, fields) => {
    await expect(pageAfter(fields)).rejects.toMatchObject({ code: 'cursor-not-found' });
    expect(firestore.seen).toHaveLength(1);
  });
});

describe('a list that is read in parts', () => {
  const all = { collection: 'things', owner: {}, where: {}, reader: list.reader };
  /** The ids of the first part. */
  const first = Array.from({ length: 100 }, (_, n) => `a${n}`);

  async function partsOf(...parts: readonly (readonly string[])[]): Promise<string[][]> {
    firestore.play(...parts.map((ids) => elements(...ids)));
    const read = await firestore.within(() => Array.fromAsync(readInParts(all)));
    return read.map((part) => part.map(({ id }) => id));
  }

  test('comes whole, each part after the last element of the one before', async () => {
    expect(await partsOf(first, ['b', 'c'])).toEqual([first, ['b', 'c']]);
    const startAt = { values: [{ referenceValue: nameOf('things/a99') }], before: false };
    expect(sent('runQuery')).toMatchObject([
      { structuredQuery: { limit: 100 } },
      { structuredQuery: { limit: 1500, startAt } },
    ]);
  });

  test('ends with an empty part if the last element fills a part', async () => {
    expect(await partsOf(first, [])).toEqual([first, []]);
  });

  test('has as many elements in a part as fit into 4 MiB by the size of those before', async () => {
    const large = { text: { stringValue: 'x'.repeat(16 * 1024 * 1024) } };
    const stored = first.map((id, n) => [`things/${id}`, n === 0 ? large : {}] as const);
    firestore.play(found(Object.fromEntries(stored)), elements());

    await firestore.within(() => Array.fromAsync(readInParts(all)));

    expect(sent('runQuery')[1]).toMatchObject({ structuredQuery: { limit: 24 } });
  });

  test('fails if a part fails', async () => {
    firestore.play(
      elements(...first),
      respondsWith({ error: { status: 'PERMISSION_DENIED' } }, 403),
    );

    const read = firestore.within(() => Array.fromAsync(readInParts(all)));

    await expect(read).rejects.toMatchObject({ status: 'PERMISSION_DENIED' });
  });
});

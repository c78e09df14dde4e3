/** What the embedded Firestore has of its own: what it refuses, its meter, its record of queries, and how it stops. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { startEmbeddedFirestore, type EmbeddedFirestore } from './server.ts';
import { Store } from './store.ts';

const WAY_OUT: unknown = expect.stringMatching(
  /Google’s own emulator has it: start the stack with npm start -- --official-firestore\.$/,
);

let embedded: EmbeddedFirestore;
const notices: string[] = [];

beforeAll(async () => {
  embedded = await startEmbeddedFirestore(0, (notice) => notices.push(notice));
});

afterAll(() => embedded.stop());

/** The store of an empty project. */
function freshStore(): Store {
  return new Store(embedded.address, `demo-${randomUUID()}`);
}

async function refusal(...sent: Parameters<Store['send']>) {
  const response = await freshStore().send(...sent);
  const { error } = (await response.json()) as { error?: { message: string } };
  return [response.status, error?.message];
}

const from = [{ collectionId: 'c' }];
const field = { fieldPath: 'a' };
const query = (parts: object) => ({ structuredQuery: { from, ...parts } });
const filter = (op: string) => ({
  where: { fieldFilter: { field, op, value: { nullValue: null } } },
});
const count = (...aggregations: readonly object[]) => ({
  structuredAggregationQuery: { structuredQuery: { from }, aggregations },
});
const TOTAL = { alias: 'total', count: {} };

describe('refuses, and says what has it,', () => {
  test.each<[string, ...Parameters<Store['send']>[]]>([
    ['transactions', [':beginTransaction', {}], [':batchGet', { newTransaction: {} }]],
    ['transforms', [':commit', { writes: [{ update: {}, updateTransforms: [] }] }]],
    ['separate writes', [':batchWrite', { writes: [] }]],
    ['the ids of collections', [':listCollectionIds', {}]],
    ['single writes', ['/c/d', {}, 'PATCH'], ['/c/d', undefined, 'DELETE'], ['/c', {}]],
    ['masks and orders of GET', ['/c/d?mask.fieldPaths=a'], ['/c?orderBy=a']],
    ['an offset', [':runQuery', query({ offset: 1 })]],
    ['an end', [':runQuery', query({ endAt: { values: [] } })]],
    ['a start at a document', [':runQuery', query({ startAt: { values: [], before: true } })]],
    ['all documents of a level', [':runQuery', query({ from: [{}] })]],
    ['a group below a document', ['/c/d:runQuery', query({ from: [{ allDescendants: true }] })]],
    [
      'other operators',
      ...['GREATER_THAN', 'ARRAY_CONTAINS', 'NONE'].map((op): [string, object] => [
        ':runQuery',
        query(filter(op)),
      ]),
    ],
    ['or', [':runQuery', query({ where: { compositeFilter: { op: 'OR', filters: [] } } })]],
    ['tests for null', [':runQuery', query({ where: { unaryFilter: {} } })]],
    [
      'other aggregations',
      ...[
        [{ alias: 'a', sum: {} }],
        [{ alias: 'a', count: { upTo: '1' } }],
        [TOTAL, { ...TOTAL, alias: 'more' }],
        [{ count: {} }],
      ].map((each): [string, object] => [':runAggregationQuery', count(...each)]),
    ],
  ])('%s', async (_what, ...requests) => {
    for (const request of requests) {
      expect([request, await refusal(...request)]).toEqual([request, [501, WAY_OUT]]);
    }
  });

  test('two writes to one document in a commit, vectors and unknown values', async () => {
    const store = freshStore();
    const write = { update: { name: store.nameOf('c/d') } };

    expect((await store.send(':commit', { writes: [write, write] })).status).toBe(501);
    await expect(store.set('c/d', { __type__: '__vector__' })).rejects.toThrow(/501/);
    await expect(store.set('c/d', { a: { xValue: 1 } })).rejects.toThrow(/501/);
    expect(await store.get('c/d')).toBeUndefined();
  });

  test('what production refuses and Google’s emulator accepts', async () => {
    const where = { compositeFilter: { op: 'AND', filters: [] } };

    expect((await refusal(':runQuery', query({ where })))[0]).toBe(400);
    expect((await refusal('/c/d:commit', { writes: [] }))[0]).toBe(404);
    expect((await refusal('/c/d:batchGet', { documents: [] }))[0]).toBe(404);
  });

  test('gRPC, at once, and reports it', async () => {
    const session = connect(`http://${embedded.address}`);
    const stream = session.request({ ':method': 'POST', ':path': '/google.firestore.v1/Commit' });
    const [headers] = (await once(stream, 'response')) as [Readonly<Record<string, string>>];
    session.close();

    expect(headers['grpc-status']).toBe('12');
    expect(decodeURI(headers['grpc-message'] ?? '')).toEqual(WAY_OUT);
    expect(notices).toEqual([WAY_OUT]);
  });
});

test('refuses documents of other databases, and requests of more than 10 MiB', async () => {
  const other = 'projects/demo/databases/other/documents/c/d';
  const large = { writes: 'x'.repeat(10 * 1024 * 1024) };

  expect(await refusal(':batchGet', { documents: [other] })).toEqual([400, expect.any(String)]);
  expect(await refusal(':commit', large)).toEqual([400, 'The request is larger than 10 MiB.']);
});

test.each<[string, (store: Store) => Promise<unknown>, number, number, number]>([
  ['a document', (store) => store.get('c/1'), 1, 0, 0],
  ['documents, found or missing', (store) => store.getAll(['c/1', 'c/none']), 2, 0, 0],
  ['a document by GET', (store) => store.send('/c/1'), 1, 0, 0],
  ['a page of a collection', (store) => store.send('/c?pageSize=7'), 7, 0, 0],
  ['a query', (store) => store.send(':runQuery', query({ limit: 7 })), 7, 0, 0],
  ['an empty query', (store) => store.send(':runQuery', query({ limit: 0 })), 1, 0, 0],
  ['a count', (store) => store.send(':runAggregationQuery', count(TOTAL)), 2, 0, 0],
  ['a write', (store) => store.set('c/new', {}), 0, 1, 0],
  ['a write that changes nothing', (store) => store.set('c/1', { n: 1 }), 0, 1, 0],
  ['a delete', (store) => store.write({ 'c/none': null }), 0, 0, 1],
  ['nothing for a refused write', (store) => store.write({ '/c': {} }).catch(() => 0), 0, 0, 0],
])('bills %s like Firestore', async (_what, use, ...billed) => {
  const store = freshStore();
  await store.setAll(Array.from({ length: 1001 }, (_, n) => [`c/${n}`, { n }]));
  const before = await store.usage();

  await use(store);

  const { reads, writes, deletes } = await store.usage();
  expect([reads - before.reads, writes - before.writes, deletes]).toEqual(billed);
});

test('counts calls, and records the shape of each query once, without its values', async () => {
  const store = freshStore();
  const orderBy = [{ field: { fieldPath: 'b.c' }, direction: 'DESCENDING' }];
  for (const limit of [2, 3]) {
    await store.send(':runQuery', query({ ...filter('EQUAL'), orderBy, limit }));
  }
  await store.send(':runAggregationQuery', count(TOTAL));

  const shape = { collection: 'c', allDescendants: false, filters: [], orderBy: [] };
  const { calls, queries } = await store.usage();
  expect(calls).toEqual({ runQuery: 2, runAggregationQuery: 1 });
  expect(queries).toEqual([
    {
      ...shape,
      filters: [{ field: 'a', op: 'EQUAL' }],
      orderBy: [{ field: 'b.c', direction: 'DESCENDING' }],
      limited: true,
      aggregated: false,
    },
    { ...shape, limited: false, aggregated: true },
  ]);
});

test('frees its port when it stops, whatever is connected, and does not take that of another', async () => {
  const first = await startEmbeddedFirestore();
  const port = Number(first.address.split(':')[1]);
  await expect(startEmbeddedFirestore(port)).rejects.toThrow(/EADDRINUSE/);
  const session = connect(`http://${first.address}`);
  session.on('error', () => undefined);
  await new Store(first.address, 'demo').get('a/b');

  await first.stop();

  session.destroy();
  await (await startEmbeddedFirestore(port)).stop();
});

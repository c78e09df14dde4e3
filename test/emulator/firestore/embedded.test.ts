/** What the embedded Firestore has of its own: what it refuses, its meter, its record of queries, and how it stops. */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:http2';
import { startEmbeddedFirestore, type EmbeddedFirestore } from './server.ts';
import { Store } from './store.ts';

const WAY_OUT =
  /Google’s own emulator has it: start the stack with npm start -- --official-firestore\.$/;

let embedded: EmbeddedFirestore;
const notices: string[] = [];

beforeAll(async () => {
  embedded = await startEmbeddedFirestore(0, (notice) => notices.push(notice));
});

afterAll(() => embedded.stop());

/** An empty project, with the means to send requests to it. */
function project() {
  const id = `demo-${randomUUID()}`;
  const root = `projects/${id}/databases/(default)/documents`;
  const store = new Store(embedded.address, id);
  async function send(...sent: Parameters<Store['send']>) {
    const response = await store.send(...sent);
    const json = (await response.json()) as { error?: { message: string } };
    return { status: response.status, message: json.error?.message };
  }
  return { store, root, send };
}

const from = [{ collectionId: 'c' }];
const count = (aggregation: object, ...others: readonly object[]) => ({
  structuredAggregationQuery: { structuredQuery: { from }, aggregations: [aggregation, ...others] },
});
const query = (parts: object) => ({ structuredQuery: { from, ...parts } });
const filter = (op: string) => ({
  where: { fieldFilter: { field: { fieldPath: 'a' }, op, value: { booleanValue: true } } },
});
const total = { alias: 'total', count: {} };

describe('refuses, and says what has it,', () => {
  test.each<[string, string, (object | undefined)?, string?]>([
    ['transactions', ':beginTransaction', {}],
    ['reads in a transaction', ':batchGet', { newTransaction: {} }],
    ['transforms', ':commit', { writes: [{ update: {}, updateTransforms: [] }] }],
    ['separate writes', ':batchWrite', { writes: [] }],
    ['the ids of collections', ':listCollectionIds', {}],
    ['single updates', '/c/d', {}, 'PATCH'],
    ['single deletes', '/c/d', undefined, 'DELETE'],
    ['the creation of a document', '/c', {}],
    ['the mask of a document', '/c/d?mask.fieldPaths=a'],
    ['the order of a listing', '/c?orderBy=a'],
    ['an offset', ':runQuery', query({ offset: 1 })],
    ['an end', ':runQuery', query({ endAt: { values: [] } })],
    ['all documents of a level', ':runQuery', query({ from: [{}] })],
    [
      'a collection group below a document',
      '/c/d:runQuery',
      query({ from: [{ ...from[0], allDescendants: true }] }),
    ],
    ['other operators', ':runQuery', query(filter('GREATER_THAN'))],
    ['elements of lists', ':runQuery', query(filter('ARRAY_CONTAINS'))],
    ['a start at a document', ':runQuery', query({ startAt: { values: [], before: true } })],
    ['unknown operators', ':runQuery', query(filter('NONE'))],
    ['or', ':runQuery', query({ where: { compositeFilter: { op: 'OR', filters: [] } } })],
    ['tests for null', ':runQuery', query({ where: { unaryFilter: {} } })],
    ['sums', ':runAggregationQuery', count({ alias: 'a', sum: {} })],
    ['limited counts', ':runAggregationQuery', count({ alias: 'a', count: { upTo: '1' } })],
    ['several counts', ':runAggregationQuery', count(total, { ...total, alias: 'more' })],
    ['counts without alias', ':runAggregationQuery', count({ count: {} })],
  ])('%s', async (_what, path, ...sent) => {
    const { status, message } = await project().send(path, ...sent);

    expect([status, message]).toEqual([501, expect.stringMatching(WAY_OUT)]);
  });

  test('two writes to one document in a commit, vectors and unknown values', async () => {
    const { store, root, send } = project();
    const once = { update: { name: `${root}/c/d` } };

    expect(await send(':commit', { writes: [once, once] })).toMatchObject({ status: 501 });
    await expect(store.set('c/d', { __type__: '__vector__' })).rejects.toThrow(/501/);
    await expect(store.set('c/d', { a: { xValue: 1 } })).rejects.toThrow(/501/);
    expect(await store.get('c/d')).toBeUndefined();
  });

  test('gRPC, at once, and reports it', async () => {
    const session = connect(`http://${embedded.address}`);
    const stream = session.request({
      ':method': 'POST',
      ':path': '/google.firestore.v1.Firestore/Commit',
    });
    const headers = await new Promise<object>((resolve) => stream.once('response', resolve));
    session.close();

    const { 'grpc-status': status, 'grpc-message': text } = headers as Record<string, string>;
    expect([status, decodeURI(text ?? '')]).toEqual(['12', expect.stringMatching(WAY_OUT)]);
    expect(notices).toEqual([expect.stringMatching(WAY_OUT)]);
  });
});

test('refuses documents of other databases, and requests of more than 10 MiB', async () => {
  const { root, send } = project();
  const other = root.replace('(default)', 'other');

  expect(await send(':batchGet', { documents: [`${other}/c/d`] })).toMatchObject({ status: 400 });
  expect(await send(':commit', { writes: 'x'.repeat(10 * 1024 * 1024) })).toMatchObject({
    status: 400,
    message: 'The request is larger than 10 MiB.',
  });
});

describe('the meter', () => {
  type Used = (of: ReturnType<typeof project>) => Promise<unknown>;

  test.each<[string, Used, { reads?: number; writes?: number; deletes?: number }]>([
    ['a document', ({ store }) => store.get('c/1'), { reads: 1 }],
    ['documents, found or missing', ({ store }) => store.getAll(['c/1', 'c/none']), { reads: 2 }],
    ['a document by GET', ({ send }) => send('/c/1'), { reads: 1 }],
    ['a page of a collection', ({ send }) => send('/c?pageSize=7'), { reads: 7 }],
    ['a query', ({ send }) => send(':runQuery', query({ limit: 7 })), { reads: 7 }],
    ['an empty query', ({ send }) => send(':runQuery', query({ limit: 0 })), { reads: 1 }],
    ['a count', ({ send }) => send(':runAggregationQuery', count(total)), { reads: 2 }],
    ['a write', ({ store }) => store.set('c/new', {}), { writes: 1 }],
    ['a write that changes nothing', ({ store }) => store.set('c/1', { n: 1 }), { writes: 1 }],
    ['a delete', ({ store }) => store.delete('c/none'), { deletes: 1 }],
    ['nothing for a refused write', ({ store }) => store.update('c/none', {}).catch(() => 0), {}],
  ])('bills %s like Firestore', async (_what, use, billed) => {
    const { store, ...others } = project();
    await store.setAll(Array.from({ length: 1001 }, (_, n) => [`c/${n}`, { n }]));
    const before = await store.usage();

    await use({ store, ...others });

    const { reads, writes, deletes } = await store.usage();
    const used = {
      reads: reads - before.reads,
      writes: writes - before.writes,
      deletes: deletes - before.deletes,
    };
    expect(used).toEqual({ reads: 0, writes: 0, deletes: 0, ...billed });
  });

  test('counts calls, and records the shape of each query once, without its values', async () => {
    const { store, send } = project();
    const orderBy = [{ field: { fieldPath: 'b.c' }, direction: 'DESCENDING' }];
    for (const limit of [2, 3])
      await send(':runQuery', query({ ...filter('EQUAL'), orderBy, limit }));
    await send(':runAggregationQuery', count(total));

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
});

test('the store returns what it has stored, also values that JSON lacks', async () => {
  const { store } = project();
  const data = {
    plain: { list: [null, true, 'ü', 1, -0.5, {}, { empty: [] }] },
    whole: [{ doubleValue: 2 }, { doubleValue: 'NaN' }, { integerValue: '9007199254740993' }],
    exact: { timestampValue: '2020-01-01T00:00:00.123456Z' },
    place: { geoPointValue: { latitude: 1 } },
  };
  await store.write({ 'c/d': data, 'c/d/sub/e': {}, 'b/a': { old: 1, kept: 2 } });
  await store.update('b/a', { old: 3 });

  const everything = { 'b/a': { old: 3, kept: 2 }, 'c/d': data, 'c/d/sub/e': {} };
  expect(await store.everything()).toEqual(everything);
  expect(await store.list('c/d/sub')).toEqual({ 'c/d/sub/e': {} });
  await store.write({ 'b/a': null, 'c/d/sub/e': null });
  expect(await store.everything()).toEqual({ 'c/d': data });
  await expect(store.update('c/none', { a: 1 })).rejects.toThrow('No document to update');
  await expect(store.set('c/d', { a: undefined })).rejects.toThrow(TypeError);
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

/** What the embedded Firestore has of its own: what it refuses, its meter, its record of queries, and how it stops. */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:http2';
import {
  FieldValue,
  Firestore,
  Timestamp,
  type CollectionReference,
} from 'firebase-admin/firestore';
import { indexes } from '../../firestore.indexes.json';
import { madeUpServiceAccount } from '../adminSdk.ts';
import { startEmbeddedFirestore, type EmbeddedFirestore } from './server.ts';
import { Store } from '../shared/store.ts';

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
const filter = (op: string, value: object = { integerValue: '1' }) => ({
  where: { fieldFilter: { field, op, value } },
});
const count = (...aggregations: readonly object[]) => ({
  structuredAggregationQuery: { structuredQuery: { from }, aggregations },
});
const TOTAL = { alias: 'total', count: {} };

describe('refuses, and says what has it,', () => {
  test.each<[string, ...Parameters<Store['send']>[]]>([
    ['documents one by one', ['/c/d'], ['/c/d', {}, 'PATCH'], ['/c/d', undefined, 'DELETE']],
    ['orders and pages of a list', ['/c?orderBy=a'], ['/c?pageToken=a']],
    ['all documents of a level', [':runQuery', query({ from: [{}] })]],
    ['other operators', [':runQuery', query(filter('NONE'))]],
    ['other values', [':runQuery', query(filter('EQUAL', { xValue: 1 }))]],
    [
      'other aggregations',
      [':runAggregationQuery', count({ alias: 'a', count: { upTo: '1' } })],
      [':runAggregationQuery', count({ count: {} })],
    ],
  ])('%s', async (_what, ...requests) => {
    for (const request of requests) {
      expect([request, await refusal(...request)]).toEqual([request, [501, WAY_OUT]]);
    }
  });

  test('what production refuses and Google’s emulator accepts', async () => {
    const all = (op: string, ...filters: object[]) => ({ compositeFilter: { op, filters } });
    const six = all('OR', ...Array.from({ length: 6 }, () => filter('EQUAL').where));

    expect((await refusal(':runQuery', query({ where: all('AND') })))[0]).toBe(400);
    expect((await refusal(':runQuery', query({ where: all('AND', six, six) })))[0]).toBe(400);
    const elsewhere = { documents: ['projects/demo/databases/other/documents/c/d'] };
    expect((await refusal(':batchGet', elsewhere))[0]).toBe(400);
  });
});

describe('refuses the Admin SDK at once, and says what has', () => {
  let firestore: Firestore;

  beforeAll(() => {
    const rest = { preferRest: true, credentials: madeUpServiceAccount() };
    firestore = new Firestore({ projectId: 'demo', host: embedded.address, ssl: false, ...rest });
  });

  afterAll(() => firestore.terminate());

  test.each<[string, (all: CollectionReference) => Promise<unknown>]>([
    ['vectors', (all) => all.doc('a').set({ vector: FieldValue.vector([1, 2]) })],
    ['the plan of a query', (all) => all.explain()],
    [
      'partitions',
      () => firestore.collectionGroup('c').getPartitions(2)[Symbol.asyncIterator]().next(),
    ],
    [
      'reads at an earlier time',
      (all) =>
        firestore.runTransaction((transaction) => transaction.get(all), {
          readOnly: true,
          readTime: Timestamp.now(),
        }),
    ],
    ['listeners', (all) => new Promise((resolve, reject) => all.onSnapshot(resolve, reject))],
    // After a listener the SDK uses gRPC for everything.
    ['gRPC', (all) => all.get()],
  ])('%s', async (_what, use) => {
    await expect(use(firestore.collection('c'))).rejects.toHaveProperty('message', WAY_OUT);
  });

  test('gRPC, and reports it', () => {
    expect(notices).toContainEqual(WAY_OUT);
  });
});

test.each<[string, (store: Store) => Promise<unknown>, number, number, number]>([
  ['documents, found or missing', (store) => store.getAll(['c/1', 'c/1', 'c/none']), 2, 0, 0],
  [
    'what an offset skips',
    (store) => store.send(':runQuery', query({ offset: 2, limit: 1 })),
    3,
    0,
    0,
  ],
  ['an empty query', (store) => store.send(':runQuery', query({ limit: 0 })), 1, 0, 0],
  ['a count', (store) => store.send(':runAggregationQuery', count(TOTAL)), 2, 0, 0],
  ['a write that changes nothing', (store) => store.set('c/1', { n: 1 }), 0, 1, 0],
  ['nothing for a refused write', (store) => store.write({ '/c': {} }).catch(() => 0), 0, 0, 0],
])('bills %s like Firestore', async (_what, use, ...billed) => {
  const store = freshStore();
  await store.setAll(Array.from({ length: 1001 }, (_, n) => [`c/${n}`, { n }]));
  const before = await store.usage();

  await use(store);

  const { reads, writes, deletes } = await store.usage();
  expect([reads - before.reads, writes - before.writes, deletes]).toEqual(billed);
});

test('records a query once, and reports one that lacks its index, with the entry to add', async () => {
  const store = freshStore();
  const sent = query({ ...filter('EQUAL'), orderBy: [{ field: { fieldPath: 'b' } }] });
  const [present] = indexes as [(typeof indexes)[number]];
  const orderBy = present.fields.map(({ fieldPath, order }) => {
    return { field: { fieldPath }, direction: order };
  });
  const served = query({ from: [{ collectionId: present.collectionGroup }], orderBy });
  notices.length = 0;

  for (const each of [sent, sent, served]) await store.send(':runQuery', each);

  const fields = ['a', 'b'].map((fieldPath) => ({ fieldPath, order: 'ASCENDING' }));
  const entry = JSON.stringify({ collectionGroup: 'c', queryScope: 'COLLECTION', fields });
  expect(notices).toEqual([
    `WARNING  A query of c needs an index in production. Add it to firestore.indexes.json: ${entry}`,
  ]);
  expect((await store.usage()).queries).toMatchObject([{ fields: ['a', 'b'] }, {}]);
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

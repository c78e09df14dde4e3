/** What the embedded Firestore has of its own: what it refuses and its warnings of missing indexes. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { connect, type IncomingHttpHeaders } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deleteApp, initializeApp } from 'firebase/app';
import {
  connectFirestoreEmulator,
  doc,
  getDoc,
  getFirestore,
  onSnapshot,
  setDoc,
  setLogLevel,
} from 'firebase/firestore';
import {
  FieldValue,
  Filter,
  Firestore,
  Timestamp,
  type CollectionReference,
  type Query,
} from 'firebase-admin/firestore';
import { REST } from '../../../dev/testing/adminSdk.ts';
import { rawRequest } from '../../../dev/testing/rawRequest.ts';
import { Store, toFields } from './store.ts';
import { Database } from './memoryDatabase.ts';
import type { CompositeIndex } from './indexes.ts';
import { startEmbeddedFirestore, type EmbeddedFirestore } from './server.ts';

let embedded: EmbeddedFirestore;
let firestore: Firestore;
const notices: string[] = [];
const folder = mkdtempSync(join(tmpdir(), 'embedded-'));
const INDEXES = join(folder, 'firestore.indexes.json');

beforeEach(async () => {
  notices.length = 0;
  await writeIndexes([]);
  embedded = await startEmbeddedFirestore({
    indexes: INDEXES,
    onNotice: (notice) => notices.push(notice),
    hints: { unsupported: 'Do without.', missingIndex: 'Write down:' },
  });
  firestore = new Firestore({ projectId: 'demo', host: embedded.address, ssl: false, ...REST });
});

afterEach(async () => {
  await firestore.terminate();
  await embedded.stop();
});

const REFUSAL: unknown = expect.stringMatching(
  /The embedded Firestore does not support .+\. Do without\.$/,
);

const writeIndexes = (indexes: readonly CompositeIndex[]) =>
  writeFile(INDEXES, JSON.stringify({ indexes }));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const query = (parts: object) => ({ structuredQuery: { from: [{ collectionId: 'c' }], ...parts } });
const field = { fieldPath: 'a' };

test('gives each commit a version of its own, also within a microsecond', () => {
  const database = new Database('projects/p/databases/d/documents');
  jest.spyOn(Date, 'now').mockReturnValue(0);
  jest.spyOn(process.hrtime, 'bigint').mockReturnValue(0n);

  const times = Array.from({ length: 3 }, () => database.now().slice(-8));

  expect(times).toEqual(['.000001Z', '.000002Z', '.000003Z']);
});

test('runs the example of its README', async () => {
  const file = join(__dirname, '../README.md');
  const [, example = ''] = /^```js\n(.+?)^```$/ms.exec(await readFile(file, 'utf8')) ?? [];

  const node = ['--input-type=module', '--eval', example];
  const { stdout } = await promisify(execFile)(process.execPath, node, { cwd: __dirname });

  expect(stdout).toBe("{ city: 'Portland' }\n");
});

describe('serves this machine, and no web page whose host name leads to it:', () => {
  test.each([
    ['127.0.0.1:8080', 200],
    ['LOCALHOST', 200],
    ['[::1]:8080', 200],
    ['evil.example:8080', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1.evil.example', 403],
  ])('REST at %s, %d', async (host, status) => {
    const headers = { Host: host, Authorization: 'Bearer owner' };
    for (const path of ['/', '/usage/demo', '/v1/projects/demo/databases/(default)/documents/c']) {
      const response = await rawRequest(`http://${embedded.address}`, path, { headers });
      expect([path, response.status]).toEqual([path, status]);
    }
  });

  test.each([
    ['localhost:8080', '12'],
    ['evil.example:8080', '7'],
  ])('gRPC at %s, status %s', async (authority, status) => {
    const session = connect(`http://${embedded.address}`);
    const call = session.request({ ':method': 'POST', ':path': '/Call', ':authority': authority });
    call.resume().end();

    const [trailers] = (await once(call, 'trailers')) as [IncomingHttpHeaders];

    session.destroy();
    expect(trailers['grpc-status']).toBe(status);
  });
});

test('an empty selection finds all fields, as in production (Google’s emulator finds none)', async () => {
  const store = new Store(embedded.address, 'demo');
  await store.set('c/d', { a: 1 });

  for (const select of [{}, { fields: [] }]) {
    const response = await store.send(':runQuery', query({ select }));
    expect(await response.json()).toMatchObject([{ document: { fields: toFields({ a: 1 }) } }]);
  }
});

describe('refuses at once, and says what to do:', () => {
  test.each<Parameters<Store['send']>>([
    ['/c/d'],
    ['/c/d', {}, 'PATCH'],
    ['/c?orderBy=a'],
    [':beginTransaction', {}],
    ['/c', {}],
    [':listen', {}],
    [':runQuery', query({ findNearest: {} })],
    [':runQuery', query({ from: [{}] })],
    [':runQuery', query({ orderBy: [{ field, direction: 'NONE' }] })],
    [':runQuery', query({ orderBy: [{ field }], startAt: { values: [{ xValue: 1 }] } })],
  ])('%s %j', async (...request) => {
    const response = await new Store(embedded.address, 'demo').send(...request);

    expect(response.status).toBe(501);
    expect(await response.json()).toMatchObject({ error: { message: REFUSAL } });
  });

  test.each<[string, (all: CollectionReference) => Promise<unknown>]>([
    ['vectors', (all) => all.doc('a').set({ vector: FieldValue.vector([1, 2]) })],
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
  ])('%s, by the Admin SDK', async (_what, use) => {
    await expect(use(firestore.collection('c'))).rejects.toHaveProperty('message', REFUSAL);
  });

  test('listeners, and what follows them: the Admin SDK then uses gRPC for everything', async () => {
    const all = firestore.collection('c');

    const refusal = await new Promise((resolve) => all.onSnapshot(() => undefined, resolve));

    expect(refusal).toHaveProperty('message', REFUSAL);
    await expect(all.get()).rejects.toHaveProperty('message', REFUSAL);
    expect(notices).toEqual([REFUSAL, REFUSAL]);
  });
});

test('refuses what the web SDK does at once', async () => {
  const app = initializeApp({ projectId: 'demo' });
  const web = getFirestore(app);
  const [host = '', port] = embedded.address.split(':');
  setLogLevel('silent');
  connectFirestoreEmulator(web, host, Number(port));
  const document = doc(web, 'c/d');
  const listen = () =>
    new Promise((_resolve, reject) => onSnapshot(document, () => undefined, reject));

  for (const use of [() => getDoc(document), () => setDoc(document, {}), listen]) {
    await expect(use()).rejects.toHaveProperty('message', REFUSAL);
  }
  await deleteApp(app);
});

test('refuses an address that cannot be decoded', async () => {
  const { status, text } = await rawRequest(`http://${embedded.address}`, '/projects/%zz');

  expect([status, text]).toEqual([400, expect.stringContaining('"status":"INVALID_ARGUMENT"')]);
});

test('does not start without its file of indexes', async () => {
  const indexes = join(folder, 'none.json');
  await expect(startEmbeddedFirestore({ indexes })).rejects.toThrow(`is missing: ${indexes}`);
});

/** An index as text: `a,-b` with the second field descending, `+l` with a list. */
function textOf({ queryScope, fields }: CompositeIndex): string {
  const signs: Readonly<Record<string, string>> = { ASCENDING: '', DESCENDING: '-', CONTAINS: '+' };
  const names = fields.map(({ fieldPath, order, arrayConfig }) => {
    return `${signs[order ?? arrayConfig ?? ''] ?? '?'}${fieldPath}`;
  });
  return `${queryScope === 'COLLECTION' ? '' : 'all '}${names.join()}`;
}

describe('warns of the composite index that production demands', () => {
  test.each<[string, string[], (all: CollectionReference) => { get(): Promise<unknown> }]>([
    ['one field', [], (all) => all.where('r', '<', 1).orderBy('r', 'desc')],
    ['equal values', [], (all) => all.where('a', '==', 1).where('b', 'in', [1])],
    ['equal values, by one', [], (all) => all.where('a', '==', 1).orderBy('a')],
    [
      'an equal value and an order',
      ['a,-o'],
      (all) => all.where('a', '==', 1).orderBy('o', 'desc'),
    ],
    [
      'lists and several orders',
      ['+l,-o,-r'],
      (all) => all.where('l', 'array-contains', 1).where('r', '<', 1).orderBy('o', 'desc'),
    ],
    ['ranges of two fields', ['q,r'], (all) => all.where('r', '<', 1).where('q', '!=', 1)],
    [
      'alternatives',
      ['a,o', 'b,o'],
      (all) =>
        all.where(Filter.or(Filter.where('a', '==', 1), Filter.where('b', '==', 1))).orderBy('o'),
    ],
    [
      'all collections',
      ['all a,o'],
      () => firestore.collectionGroup('c').where('a', '==', 1).orderBy('o'),
    ],
  ])('for a query about %s: %j', async (_what, expected, build) => {
    await build(firestore.collection('c')).get();
    await build(firestore.collection('c')).get();

    const start = 'WARNING  A query of c needs an index in production. Write down: ';
    const entries = notices.map(
      (notice) => JSON.parse(notice.replace(start, '')) as CompositeIndex,
    );
    expect(entries.map(textOf)).toEqual(expected);
  });

  test('unless firestore.indexes.json has it by then', async () => {
    const fields = ['isVisible', 'artistId', 'order'];
    await writeIndexes([
      {
        collectionGroup: 'flash',
        queryScope: 'COLLECTION',
        fields: fields.map((fieldPath) => ({ fieldPath, order: 'ASCENDING' })),
      },
    ]);
    const visible = (all: Query) => all.where('isVisible', '==', true).where('artistId', '==', 'a');
    const flash = visible(firestore.collection('flash'));

    await flash.orderBy('order').get();
    expect(notices).toEqual([]);

    await flash.orderBy('order', 'desc').get();
    await flash.orderBy('order').orderBy('title').get();
    await flash.where('title', '==', 'x').orderBy('order').get();
    await visible(firestore.collectionGroup('flash')).orderBy('order').get();
    expect(notices).toHaveLength(4);
  });
});

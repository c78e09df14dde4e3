/** What the embedded Firestore has of its own: what it refuses and its warnings of missing indexes. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Firestore, type CollectionReference, type Query } from 'firebase-admin/firestore';
import { ADMIN_SDK_SETTINGS } from '../../../dev/testing/adminSdk.ts';
import { rawRequest } from '../../../dev/testing/rawRequest.ts';
import { LocalFirestore } from './localFirestore.ts';
import { Database } from './engine/database.ts';
import type { CompositeIndex } from './server/indexChecker.ts';
import { startEmbeddedFirestore, type EmbeddedFirestore } from './server/server.ts';

let embedded: EmbeddedFirestore;
let firestore: Firestore;
const notices: string[] = [];
let readIndexes: () => readonly CompositeIndex[] = () => [];

beforeEach(async () => {
  notices.length = 0;
  embedded = await startEmbeddedFirestore({
    readIndexes: () => readIndexes(),
    onWarning: (notice) => notices.push(notice),
  });
  firestore = new Firestore({
    projectId: 'demo',
    host: embedded.address,
    ssl: false,
    ...ADMIN_SDK_SETTINGS,
  });
});

afterEach(async () => {
  await firestore.terminate();
  await embedded.stop();
});

const REFUSAL: unknown = expect.stringMatching(
  /The embedded Firestore does not support .+\. Google’s own emulator has it\.$/,
);

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

describe('rejects other hosts, to prevent DNS rebinding:', () => {
  test.each([
    ['127.0.0.1:8080', 200],
    ['[::1]:8080', 200],
    ['evil.example:8080', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1.evil.example', 403],
  ])('REST at %s, %d', async (host, status) => {
    const headers = { Host: host };
    for (const path of ['/', '/usage/demo']) {
      const response = await rawRequest(`http://${embedded.address}`, path, { headers });
      expect([path, response.status]).toEqual([path, status]);
    }
  });
});

describe('refuses at once, and says what to do:', () => {
  const filtered = (op: string) =>
    query({ where: { fieldFilter: { field, op, value: { arrayValue: {} } } } });

  test.each<[string, object]>([
    ['/c', {}],
    [':beginTransaction', {}],
    [':batchWrite', {}],
    [':runQuery', query({ findNearest: {} })],
    [':runQuery', query({ from: [{}] })],
    [':runQuery', query({ orderBy: [{ field, direction: 'NONE' }] })],
    [':runQuery', query({ where: { compositeFilter: { op: 'OR', filters: [] } } })],
    [':runQuery', filtered('NOT_IN')],
    [':runQuery', { ...query({}), newTransaction: { readOnly: {} } }],
  ])('%s %j', async (...request) => {
    const response = await new LocalFirestore(embedded.address, 'demo').send(...request);

    expect(response.status).toBe(501);
    expect(await response.json()).toMatchObject({ error: { message: REFUSAL } });
  });

  test('listeners, and what follows them: the Admin SDK then uses gRPC for everything', async () => {
    const all = firestore.collection('c');

    const refusal = await new Promise((resolve) => all.onSnapshot(() => undefined, resolve));

    expect(refusal).toHaveProperty('message', REFUSAL);
    await expect(all.get()).rejects.toHaveProperty('message', REFUSAL);
    expect(notices).toEqual([REFUSAL, REFUSAL]);
  });
});

/** An index of the collection `c` as text: `a,-b` with the second field descending, `+l` with a list. */
function textOf(notice: string): string {
  const [, text = ''] = /^WARNING {2}A query of c needs an index .+?: (\{.+)$/.exec(notice) ?? [];
  const { queryScope, fields } = JSON.parse(text) as CompositeIndex;
  const signs: Readonly<Record<string, string>> = { ASCENDING: '', DESCENDING: '-', CONTAINS: '+' };
  const names = fields.map(({ fieldPath, order, arrayConfig }) => {
    return `${signs[order ?? arrayConfig ?? ''] ?? '?'}${fieldPath}`;
  });
  return `${queryScope === 'COLLECTION' ? '' : 'all '}${names.join()}`;
}

test.each<[string[], (all: CollectionReference) => Query]>([
  [[], (all) => all.where('r', '<', 1).orderBy('r', 'desc')],
  [[], (all) => all.where('a', '==', 1).orderBy('a')],
  [[], (all) => all.where('b', '==', 1).where('a', '==', 1).orderBy('o')],
  [['b,a,-o'], (all) => all.where('b', '==', 1).where('a', '==', 1).orderBy('o', 'desc')],
  [['x,o'], (all) => all.where('x', '==', 1).orderBy('o')],
  [['all a,o'], () => firestore.collectionGroup('c').where('a', '==', 1).orderBy('o')],
  [
    ['+l,-o,-r'],
    (all) => all.where('l', 'array-contains', 1).where('r', '<', 1).orderBy('o', 'desc'),
  ],
])('warns once of the composite indexes %j that production demands', async (expected, build) => {
  // As `firebase firestore:indexes` exports it: the last field is the document ID.
  const fields = ['a', 'b', 'o', '__name__'].map((fieldPath) => ({
    fieldPath,
    order: 'ASCENDING',
  }));
  const known: CompositeIndex = { collectionGroup: 'c', queryScope: 'COLLECTION', fields };
  readIndexes = () => [known];

  await build(firestore.collection('c')).get();
  await build(firestore.collection('c')).get();

  expect(notices.map(textOf)).toEqual(expected);
});

test('a query succeeds and warns if the indexes cannot be read', async () => {
  readIndexes = () => {
    throw new Error('firestore.indexes.json, line 3: comma expected.');
  };

  await firestore.collection('c').where('x', '==', 1).orderBy('o').get();

  expect(notices).toEqual([
    'WARNING  Cannot read the indexes: firestore.indexes.json, line 3: comma expected.',
  ]);
});

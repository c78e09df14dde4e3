/** Behavior that the embedded Firestore does not share with Google's emulator. Both pass the *.stack.test.ts files. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Firestore, type CollectionReference, type Query } from 'firebase-admin/firestore';
import { ADMIN_SDK_SETTINGS } from '../../../../test/support/google/adminSdkSettings.ts';
import { sendRawRequest } from '../../../../test/support/requests/sendRawRequest.ts';
import { Database } from '../engine/database.ts';
import { computeDocumentSize } from '../engine/documentSize.ts';
import { LocalFirestore } from '../localFirestore.ts';
import type { CompositeIndex } from './indexChecker.ts';
import { startEmbeddedFirestore, type EmbeddedFirestore } from './server.ts';

let embedded: EmbeddedFirestore;
let firestore: Firestore;
let localFirestore: LocalFirestore;
const warnings: string[] = [];
let readIndexes: () => readonly CompositeIndex[] = () => [];

beforeEach(async () => {
  warnings.length = 0;
  embedded = await startEmbeddedFirestore({
    readIndexes: () => readIndexes(),
    onWarning: (warning) => warnings.push(warning),
  });
  localFirestore = new LocalFirestore(embedded.address, 'demo');
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

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  sendRawRequest(`http://${embedded.address}`, path, { headers });

test('gives each commit a later time, even within a microsecond', () => {
  const database = new Database('projects/p/databases/d/documents');
  jest.spyOn(Date, 'now').mockReturnValue(0);
  jest.spyOn(process.hrtime, 'bigint').mockReturnValue(0n);

  const times = Array.from({ length: 3 }, () => database.now().slice(-8));

  expect(times).toEqual(['.000001Z', '.000002Z', '.000003Z']);
});

test('the example of the README runs', async () => {
  const file = join(__dirname, '../../README.md');
  const [, example = ''] = /^```js\n(.+?)^```$/ms.exec(await readFile(file, 'utf8')) ?? [];

  const node = ['--input-type=module', '--eval', example];
  const options = { cwd: __dirname, env: process.env };
  const { stdout } = await promisify(execFile)(process.execPath, node, options);

  expect(stdout).toBe("{ city: 'Portland' }\n");
});

describe('the host of a request', () => {
  test.each(['127.0.0.1:8080', '[::1]:8080', 'localhost'])('may be %s', async (host) => {
    expect(await get('/', { Host: host })).toMatchObject({ status: 200 });
  });

  test.each(['evil.example:8080', 'localhost.evil.example', '127.0.0.1.evil.example'])(
    'must not be %s, because of DNS rebinding',
    async (host) => {
      for (const path of ['/', '/usage/demo']) {
        expect(await get(path, { Host: host })).toMatchObject({ status: 403 });
      }
    },
  );

  test('is checked before the body is read', async () => {
    const response = await sendRawRequest(
      `http://${embedded.address}`,
      '/v1/projects/demo/databases/(default)/documents:commit',
      // The body never arrives.
      { method: 'POST', headers: { Host: 'evil.example', 'Content-Length': '10' } },
    );

    expect(response.status).toBe(403);
  });
});

test('a request for the usage or the page of a project does not create it', async () => {
  expect(await get('/usage/unknown')).toMatchObject({ status: 404 });
  expect(await get('/projects/unknown/databases/(default)/documents')).toMatchObject({
    status: 200,
  });

  expect((await get('/')).text).not.toContain('unknown');
});

describe('the size of a document', () => {
  test('is computed as Firestore documents it', () => {
    const fields = {
      type: { stringValue: 'Personal' },
      done: { booleanValue: false },
      priority: { integerValue: '1' },
      description: { stringValue: 'Learn Cloud Firestore' },
    };
    expect(computeDocumentSize(['users', 'jeff', 'tasks', 'my_task_id'], fields)).toBe(147);
  });

  test.each([
    { value: { nullValue: null }, size: 1 },
    { value: { doubleValue: 0.5 }, size: 8 },
    { value: { timestampValue: '2020-01-01T00:00:00Z' }, size: 8 },
    { value: { geoPointValue: {} }, size: 16 },
    { value: { stringValue: 'é' }, size: 3 },
    { value: { bytesValue: 'AAA=' }, size: 2 },
    { value: { referenceValue: 'projects/p/databases/d/documents/a/b' }, size: 2 + 2 + 16 },
    { value: { arrayValue: { values: [{ nullValue: null }, { integerValue: '1' }] } }, size: 9 },
    { value: { arrayValue: {} }, size: 0 },
    { value: { mapValue: { fields: { a: { nullValue: null } } } }, size: 2 + 1 + 32 },
  ])('includes $size bytes for $value', ({ value, size }) => {
    const ids = ['c', 'd'];
    const empty = computeDocumentSize(ids, {});

    expect(computeDocumentSize(ids, { field: value }) - empty).toBe('field'.length + 1 + size);
  });

  test('is at most 1 MiB', async () => {
    // The name, the field names and the overhead have 58 bytes.
    const [s, t] = ['x'.repeat(1024 * 512), 'x'.repeat(1024 * 512 - 58)];

    await localFirestore.set('c/d', { s, t });

    await expect(localFirestore.set('c/d', { s, t: `${t}x` })).rejects.toThrow(
      'documents/c/d has 1048577 bytes. A document has at most 1048576 bytes.',
    );
    expect(await localFirestore.get('c/d')).toEqual({ s, t });
  });
});

describe('values that Google rejects, but its emulator changes', () => {
  const document = 'projects/demo/databases/(default)/documents/c/d';

  test.each([
    { name: 'a lone surrogate in a string', body: String.raw`{"stringValue":"a\ud800"}` },
    { name: 'a lone surrogate in a name', body: String.raw`{"mapValue":{"fields":{"\uDFFF":{}}}}` },
    { name: '30 February', body: '{"timestampValue":"2024-02-30T00:00:00Z"}' },
    { name: '29 February of a common year', body: '{"timestampValue":"2023-02-29T00:00:00Z"}' },
    { name: 'the hour 24', body: '{"timestampValue":"2024-01-01T24:00:00Z"}' },
  ])('$name fails with 400', async ({ body }) => {
    const commit = `{"writes":[{"update":{"name":"${document}","fields":{"value":${body}}}}]}`;

    const response = await localFirestore.send(':commit', commit);

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { status: 'INVALID_ARGUMENT' } });
  });

  test('an id with a lone surrogate is not stored, and its list can be read', async () => {
    const name = String.raw`projects/demo/databases/(default)/documents/c/\ud800`;

    const response = await localFirestore.send(
      ':commit',
      `{"writes":[{"update":{"name":"${name}"}}]}`,
    );

    expect(response.status).toBe(400);
    expect(await localFirestore.getAllDocuments()).toEqual({});
    expect(await get('/projects/demo/databases/(default)/documents/c')).toMatchObject({
      status: 200,
    });
  });

  test('a pair of surrogates is one character', async () => {
    const fields = String.raw`{"s":{"stringValue":"\ud83d\ude00"}}`;

    await localFirestore.send(
      ':commit',
      `{"writes":[{"update":{"name":"${document}","fields":${fields}}}]}`,
    );

    expect(await localFirestore.get('c/d')).toEqual({ s: '😀' });
  });

  test('a path that is not UTF-8 fails with 400', async () => {
    expect(await get('/%ED%A0%80')).toMatchObject({ status: 400 });
  });
});

describe('unsupported requests', () => {
  const UNSUPPORTED: unknown = expect.stringMatching(
    /The embedded Firestore does not support .+\. Google’s own emulator has it\.$/,
  );
  const from = [{ collectionId: 'c' }];
  const field = { fieldPath: 'a' };
  const notIn = { fieldFilter: { field, op: 'NOT_IN', value: { arrayValue: {} } } };
  const or = { compositeFilter: { op: 'OR', filters: [] } };

  test.each([
    { name: 'a creation with a generated id', path: '/c', body: {} },
    { name: 'beginTransaction', path: ':beginTransaction', body: {} },
    { name: 'batchWrite', path: ':batchWrite', body: {} },
    {
      name: 'findNearest',
      path: ':runQuery',
      body: { structuredQuery: { from, findNearest: {} } },
    },
    {
      name: 'a query of all collections at one level',
      path: ':runQuery',
      body: { structuredQuery: { from: [{}] } },
    },
    { name: 'or', path: ':runQuery', body: { structuredQuery: { from, where: or } } },
    { name: 'not-in', path: ':runQuery', body: { structuredQuery: { from, where: notIn } } },
    {
      name: 'a read-only transaction',
      path: ':runQuery',
      body: { structuredQuery: { from }, newTransaction: { readOnly: {} } },
    },
  ])('$name fails with 501 and a message', async ({ path, body }) => {
    const response = await localFirestore.send(path, body);

    expect(response.status).toBe(501);
    expect(await response.json()).toMatchObject({ error: { message: UNSUPPORTED } });
  });

  test('a listener of the Admin SDK fails, and so do later calls, which use gRPC too', async () => {
    const all = firestore.collection('c');

    const error = await new Promise((resolve) => all.onSnapshot(() => undefined, resolve));

    expect(error).toHaveProperty('message', UNSUPPORTED);
    await expect(all.get()).rejects.toHaveProperty('message', UNSUPPORTED);
    expect(warnings).toEqual([UNSUPPORTED, UNSUPPORTED]);
  });
});

describe('a warning of a missing index', () => {
  /** Formats the index of a warning: `a,-b` with the second field descending, `+l` with an array. */
  function formatIndex(warning: string): string {
    const [, json = ''] =
      /^WARNING {2}A query of c needs an index .+?: (\{.+)$/.exec(warning) ?? [];
    const { queryScope, fields } = JSON.parse(json) as CompositeIndex;
    const signs: Readonly<Record<string, string>> = {
      ASCENDING: '',
      DESCENDING: '-',
      CONTAINS: '+',
    };
    const names = fields.map(({ fieldPath, order, arrayConfig }) => {
      return `${signs[order ?? arrayConfig ?? ''] ?? '?'}${fieldPath}`;
    });
    return `${queryScope === 'COLLECTION' ? '' : 'all '}${names.join()}`;
  }

  // As `firebase firestore:indexes` exports it: the last field is the document ID.
  const existing: CompositeIndex = {
    collectionGroup: 'c',
    queryScope: 'COLLECTION',
    fields: ['a', 'b', 'o', '__name__'].map((fieldPath) => ({ fieldPath, order: 'ASCENDING' })),
  };

  test.each<{ name: string; build: (all: CollectionReference) => Query; expected: string[] }>([
    {
      name: 'is not given for a range of the sort field',
      build: (all) => all.where('r', '<', 1).orderBy('r', 'desc'),
      expected: [],
    },
    {
      name: 'is not given for an equality filter of the sort field',
      build: (all) => all.where('a', '==', 1).orderBy('a'),
      expected: [],
    },
    {
      name: 'is not given if the index exists with its equality fields in another order',
      build: (all) => all.where('b', '==', 1).where('a', '==', 1).orderBy('o'),
      expected: [],
    },
    {
      name: 'is given once if the index has another direction',
      build: (all) => all.where('b', '==', 1).where('a', '==', 1).orderBy('o', 'desc'),
      expected: ['b,a,-o'],
    },
    {
      name: 'is given once for an equality filter and a sort field',
      build: (all) => all.where('x', '==', 1).orderBy('o'),
      expected: ['x,o'],
    },
    {
      name: 'is given once for a collection group',
      build: () => firestore.collectionGroup('c').where('a', '==', 1).orderBy('o'),
      expected: ['all a,o'],
    },
    {
      name: 'is given once for an array filter and a range',
      build: (all) => all.where('l', 'array-contains', 1).where('r', '<', 1).orderBy('o', 'desc'),
      expected: ['+l,-o,-r'],
    },
  ])('$name', async ({ build, expected }) => {
    readIndexes = () => [existing];

    await build(firestore.collection('c')).get();
    await build(firestore.collection('c')).get();

    expect(warnings.map(formatIndex)).toEqual(expected);
  });
});

test('a query succeeds and warns if the indexes cannot be read', async () => {
  readIndexes = () => {
    throw new Error('firestore.indexes.json, line 3: comma expected.');
  };

  await firestore.collection('c').where('x', '==', 1).orderBy('o').get();

  expect(warnings).toEqual([
    'WARNING  Cannot read the indexes: firestore.indexes.json, line 3: comma expected.',
  ]);
});

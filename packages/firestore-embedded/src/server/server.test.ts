/** Behavior that the embedded Firestore does not share with Google's emulator. Both pass the *.stack.test.ts files. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deleteApp, initializeApp, type FirebaseApp } from 'firebase/app';
import {
  collection,
  connectFirestoreEmulator,
  doc,
  getCountFromServer,
  getDoc,
  getFirestore,
  setLogLevel,
} from 'firebase/firestore';
import * as lite from 'firebase/firestore/lite';
import {
  FieldValue,
  Firestore,
  type CollectionReference,
  type Query,
} from 'firebase-admin/firestore';
import { ADMIN_SDK_SETTINGS } from '../../../../test/support/google/adminSdkSettings.ts';
import { sendRawRequest } from '../../../../test/support/requests/sendRawRequest.ts';
import { Database } from '../engine/database.ts';
import { computeDocumentSize } from '../engine/documentSize.ts';
import { EmulatorClient } from '../emulatorClient.ts';
import type { CompositeIndex } from './indexChecker.ts';
import { startEmbeddedFirestore, type EmbeddedFirestore } from './server.ts';

let embedded: EmbeddedFirestore;
let firestore: Firestore;
let emulatorClient: EmulatorClient;
const warnings: string[] = [];
let readIndexes: () => readonly CompositeIndex[] = () => [];

beforeEach(async () => {
  warnings.length = 0;
  embedded = await startEmbeddedFirestore({
    readIndexes: () => readIndexes(),
    onWarning: (warning) => warnings.push(warning),
  });
  emulatorClient = new EmulatorClient(embedded.address, 'demo');
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

    await emulatorClient.set('c/d', { s, t });

    await expect(emulatorClient.set('c/d', { s, t: `${t}x` })).rejects.toThrow(
      'documents/c/d has 1048577 bytes. A document has at most 1048576 bytes.',
    );
    expect(await emulatorClient.get('c/d')).toEqual({ s, t });
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

    const response = await emulatorClient.send(':commit', commit);

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { status: 'INVALID_ARGUMENT' } });
  });

  test('an id with a lone surrogate is not stored, and its list can be read', async () => {
    const name = String.raw`projects/demo/databases/(default)/documents/c/\ud800`;

    const response = await emulatorClient.send(
      ':commit',
      `{"writes":[{"update":{"name":"${name}"}}]}`,
    );

    expect(response.status).toBe(400);
    expect(await emulatorClient.getAllDocuments()).toEqual({});
    expect(await get('/projects/demo/databases/(default)/documents/c')).toMatchObject({
      status: 200,
    });
  });

  test('a pair of surrogates is one character', async () => {
    const fields = String.raw`{"s":{"stringValue":"\ud83d\ude00"}}`;

    await emulatorClient.send(
      ':commit',
      `{"writes":[{"update":{"name":"${document}","fields":${fields}}}]}`,
    );

    expect(await emulatorClient.get('c/d')).toEqual({ s: '😀' });
  });

  test('a path that is not UTF-8 fails with 400', async () => {
    expect(await get('/%ED%A0%80')).toMatchObject({ status: 400 });
  });
});

/** Returns the message for an unsupported feature. */
function formatUnsupported(feature: string): string {
  return `The embedded Firestore does not support ${feature}. Google’s own emulator has it: npx firebase-tools emulators:start --only firestore.`;
}

describe('unsupported requests', () => {
  const from = [{ collectionId: 'c' }];
  const field = { fieldPath: 'a' };
  const vector = {
    mapValue: { fields: { __type__: { stringValue: '__vector__' }, value: { arrayValue: {} } } },
  };

  test.each([
    { feature: 'POST of documents and lists', path: '/c', body: {} },
    { feature: 'beginTransaction', path: ':beginTransaction', body: {} },
    { feature: 'batchWrite', path: ':batchWrite', body: {} },
    {
      feature: 'findNearest',
      path: ':runQuery',
      body: { structuredQuery: { from, findNearest: {} } },
    },
    {
      feature: 'queries without collectionId',
      path: ':runQuery',
      body: { structuredQuery: { from: [{}] } },
    },
    {
      feature: 'vectors',
      path: ':commit',
      body: {
        writes: [
          {
            update: {
              name: 'projects/demo/databases/(default)/documents/c/d',
              fields: { a: vector },
            },
          },
        ],
      },
    },
    {
      feature: 'readOnly',
      path: ':runQuery',
      body: { structuredQuery: { from }, newTransaction: { readOnly: {} } },
    },
  ])('$feature fails with 501, and one warning', async ({ feature, path, body }) => {
    const response = await emulatorClient.send(path, body);
    await emulatorClient.send(path, body);

    expect(response.status).toBe(501);
    const message = formatUnsupported(feature);
    expect(await response.json()).toMatchObject({ error: { message } });
    expect(warnings).toEqual([message]);
  });

  const createFieldFilter = (op: unknown) => ({ fieldFilter: { field, op, value: {} } });
  const createUnaryFilter = (op: unknown) => ({ unaryFilter: { field, op } });

  test.each([
    {
      feature: 'the filter or',
      operators: ['OR', 2],
      createFilter: (op: unknown) => ({ compositeFilter: { op, filters: [] } }),
    },
    {
      feature: 'the filter not-in',
      operators: ['NOT_IN', 10],
      createFilter: createFieldFilter,
    },
    {
      feature: 'the filter array-contains-any',
      operators: ['ARRAY_CONTAINS_ANY', 9],
      createFilter: createFieldFilter,
    },
    {
      feature: 'the filter != NaN',
      operators: ['IS_NOT_NAN', 4],
      createFilter: createUnaryFilter,
    },
    {
      feature: 'the filter != null',
      operators: ['IS_NOT_NULL', 5],
      createFilter: createUnaryFilter,
    },
  ])(
    '$feature fails with 501, by name and number',
    async ({ feature, operators, createFilter }) => {
      for (const operator of operators) {
        const structuredQuery = { from, where: createFilter(operator) };
        const response = await emulatorClient.send(':runQuery', { structuredQuery });

        expect(response.status).toBe(501);
        expect(await response.json()).toMatchObject({
          error: { message: formatUnsupported(feature) },
        });
      }
    },
  );

  test('filters of the Admin SDK are named as in the SDK', async () => {
    const all = firestore.collection('c');

    await expect(all.where('a', '!=', null).get()).rejects.toHaveProperty(
      'message',
      expect.stringContaining(formatUnsupported('the filter != null')),
    );
    await expect(all.doc('d').set({ v: FieldValue.vector([1, 2]) })).rejects.toHaveProperty(
      'message',
      expect.stringContaining(formatUnsupported('vectors')),
    );
  });

  test('a listener of the Admin SDK fails, and so do later calls, which use gRPC too', async () => {
    const all = firestore.collection('c');

    const error = await new Promise((resolve) => all.onSnapshot(() => undefined, resolve));

    const listen = formatUnsupported('Listen over gRPC, which listeners (onSnapshot) need');
    const runQuery = formatUnsupported('RunQuery over gRPC, which listeners (onSnapshot) need');
    expect(error).toHaveProperty('message', expect.stringContaining(listen));
    await expect(all.get()).rejects.toHaveProperty('message', expect.stringContaining(runQuery));
    expect(warnings).toEqual([listen, runQuery]);
  });
});

describe('the web SDK', () => {
  /** The headers of a page's request. */
  const FROM_PAGE = { Origin: 'http://127.0.0.1:5000', Authorization: 'Bearer owner' };
  let app: FirebaseApp;

  beforeEach(() => {
    // The SDK would log each error.
    setLogLevel('silent');
    lite.setLogLevel('silent');
    app = initializeApp({ projectId: 'demo' });
  });

  afterEach(() => deleteApp(app));

  function getHostAndPort(): [string, number] {
    const { hostname, port } = new URL(`http://${embedded.address}`);
    return [hostname, Number(port)];
  }

  test('gets 501 for each call of firebase/firestore/lite, and one warning', async () => {
    const database = lite.getFirestore(app);
    lite.connectFirestoreEmulator(database, ...getHostAndPort());
    const document = lite.doc(database, 'c/d');

    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(lite.getDoc(document)).rejects.toMatchObject({
        code: 'unimplemented',
        message: expect.stringContaining(formatUnsupported('batchGet of the web SDK')) as string,
      });
    }

    expect(warnings).toEqual([formatUnsupported('batchGet of the web SDK')]);
  });

  test('gets UNIMPLEMENTED for each call of firebase/firestore, and one warning', async () => {
    const database = getFirestore(app);
    connectFirestoreEmulator(database, ...getHostAndPort());

    await expect(getCountFromServer(collection(database, 'c'))).rejects.toMatchObject({
      code: 'unimplemented',
      message: expect.stringContaining(
        formatUnsupported('RunAggregationQuery of the web SDK'),
      ) as string,
    });
    // Reads of documents listen. After some attempts, the SDK reads its cache.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(getDoc(doc(database, 'c/d'))).rejects.toHaveProperty('code', 'unavailable');
    }

    expect(warnings).toEqual([
      formatUnsupported('RunAggregationQuery of the web SDK'),
      formatUnsupported('Listen of the web SDK'),
    ]);
  });

  test.each([
    { call: 'batchGet', path: '/v1/projects/demo/databases/(default)/documents:batchGet?key=x' },
    { call: 'GET', path: '/v1/projects/demo/databases/(default)/documents/c/d' },
    {
      call: 'Listen',
      path: '/google.firestore.v1.Firestore/Listen/channel?database=x&VER=8&RID=1&TYPE=init',
    },
  ])('can read the error of $call in a browser, even as administrator', async ({ call, path }) => {
    const method = call === 'GET' ? 'GET' : 'POST';
    const address = `http://${embedded.address}`;
    const preflight = {
      Origin: FROM_PAGE.Origin,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'authorization,x-goog-api-client',
    };

    const allowed = await sendRawRequest(address, path, { method: 'OPTIONS', headers: preflight });
    const response = await sendRawRequest(address, path, { method, headers: FROM_PAGE });

    expect(allowed).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': FROM_PAGE.Origin,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': method,
        'access-control-allow-headers': 'authorization,x-goog-api-client',
      },
    });
    expect(response).toMatchObject({
      status: 501,
      headers: {
        'access-control-allow-origin': FROM_PAGE.Origin,
        'access-control-allow-credentials': 'true',
      },
    });
    expect(response.text).toContain(formatUnsupported(`${call} of the web SDK`));
    expect(warnings).toEqual([formatUnsupported(`${call} of the web SDK`)]);
  });

  test('cannot read the pages of other origins', async () => {
    const { headers } = await get('/', { Origin: 'http://evil.example' });

    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('a warning of a missing index', () => {
  /** Formats the index of a warning: `a,-b` with the second field descending, `+l` with an array. */
  function formatIndex(warning: string): string {
    const [, json = ''] =
      /^WARNING {2}A query of c needs an index .+ run npm run generate, .+?: (\{.+)$/.exec(
        warning,
      ) ?? [];
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

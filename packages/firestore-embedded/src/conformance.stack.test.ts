/**
 * Behavior that the embedded Firestore shares with Google's emulator, and that calls of the Admin SDK (sdk.stack.test.ts)
 * cannot show: the order of all values, errors of commits, and rejected requests. `npm test` runs these tests on the embedded
 * Firestore, and `npm run test:emulator` on Google's emulator. Values are written as JSON, like those of `EmulatorClient`.
 */
import { randomUUID } from 'node:crypto';
import { getTestStack } from '../../../test/support/processes/testStack.ts';
import { EmulatorClient, jsonToFields, jsonToValue, type DocumentData } from './emulatorClient.ts';

const { projectId, firestoreHost } = getTestStack();
const store = new EmulatorClient(firestoreHost, projectId);
/** The maximum size of a string or of bytes. */
const MAX_VALUE_BYTES = 1024 * 1024 - 89;
const DOCUMENTS_ROOT = `projects/${projectId}/databases/(default)/documents`;

function createCollectionId(): string {
  return `c-${randomUUID()}`;
}

/** Creates a write that updates a document. `members` are other members of the write. */
function createUpdate(name: string, data: DocumentData = {}, members: object = {}) {
  return { update: { name, fields: jsonToFields(data) }, ...members };
}

// Parts of a query.
function createOrder(fieldPath: string) {
  return { orderBy: [{ field: { fieldPath } }] };
}

function createCursor(...values: readonly unknown[]) {
  return { startAt: { values: values.map(jsonToValue), before: false } };
}

function createFilter(op: string, value: unknown, fieldPath = 'n') {
  return { where: { fieldFilter: { field: { fieldPath }, op, value: jsonToValue(value) } } };
}

// Values of types that JSON lacks.
const toInteger = (integerValue: unknown) => ({ integerValue });
const toDouble = (doubleValue: unknown) => ({ doubleValue });
const toTimestamp = (timestampValue: string) => ({ timestampValue });
const toBytes = (bytesValue: string) => ({ bytesValue });
const toReference = (path: string) => ({ referenceValue: `${DOCUMENTS_ROOT}/${path}` });
const toGeoPoint = (geoPointValue: object) => ({ geoPointValue });

/** Creates a value that is nested this deep, alternating between maps and lists. */
function createNestedValue(levels: number): unknown {
  if (levels === 0) return 1;
  const value = createNestedValue(levels - 1);
  return levels % 2 === 0 ? [value] : { a: value };
}

/** Runs a query of a collection; returns the documents that it finds. */
async function runQuery(collectionId: string, members: object) {
  const structuredQuery = { from: [{ collectionId }], ...members };
  const response = await store.send(':runQuery', { structuredQuery });
  const elements = (await response.json()) as {
    document?: { name: string; fields?: DocumentData };
  }[];
  return elements.flatMap(({ document }) => document ?? []);
}

/** Expects that a request fails with this error, and with a message. */
async function expectRejected(
  path: string,
  body: object | string,
  expectedError = '400 INVALID_ARGUMENT',
) {
  const response = await store.send(path, body);
  const { error } = (await response.json()) as { error?: { status: string; message: string } };
  expect([body, `${response.status} ${error?.status ?? ''}`, error]).toEqual([
    body,
    expectedError,
    expect.objectContaining({ message: expect.any(String) as string }),
  ]);
}

test('values of all types are stored unchanged, and sorted', async () => {
  const ordered = [
    null,
    false,
    true,
    toDouble('NaN'),
    toDouble('-Infinity'),
    toInteger('-9223372036854775808'),
    -0.5,
    0,
    0.5,
    toDouble(150),
    toDouble(9_007_199_254_740_992),
    toInteger('9007199254740993'),
    toDouble(1e300),
    toDouble('Infinity'),
    toTimestamp('0001-01-01T00:00:00Z'),
    toTimestamp('1969-12-31T23:59:59.999999Z'),
    toTimestamp('2020-01-01T00:00:00Z'),
    toTimestamp('2020-01-01T00:00:00.000001Z'),
    toTimestamp('2020-01-01T00:00:00.100Z'),
    toTimestamp('2020-01-01T00:00:01Z'),
    '',
    'A',
    'a',
    'a\u0000',
    'ab',
    'é',
    '\uFFFD',
    '😀',
    toBytes(''),
    toBytes('AA=='),
    toBytes('AAA='),
    toBytes('/w=='),
    toReference('a/b'),
    toReference('a/b/c/d'),
    toReference('a/b!'),
    toReference('a!/b'),
    toGeoPoint({ latitude: -1, longitude: 9 }),
    toGeoPoint({}),
    toGeoPoint({ longitude: 1 }),
    { arrayValue: {} },
    [1],
    [1, 0],
    [2],
    [''],
    createNestedValue(20),
    { mapValue: {} },
    { __a: 'ü\n"', '`a.b': 1 },
    { a: 2 },
    { b: 0, a: 2 },
    { a: '' },
    { b: 0 },
  ];
  const collection = createCollectionId();
  // The order of the ids differs from the order of the values.
  await store.setAll(
    ordered.map((value, index) => [`${collection}/${(index * 37) % 100}`, { value }]),
  );

  const readValues = async (cursor: object) => {
    const documents = await runQuery(collection, { ...createOrder('value'), ...cursor });
    return documents.map(({ fields }) => fields?.value);
  };
  const values = ordered.map(jsonToValue);
  expect(await readValues({})).toEqual(values);
  for (const [index, value] of ordered.entries()) {
    expect(await readValues(createCursor(value))).toEqual(values.slice(index + 1));
    const endAt = { values: [jsonToValue(value)], before: true };
    expect(await readValues({ endAt })).toEqual(values.slice(0, index));
  }
});

test('values are stored in one form', async () => {
  const values: readonly (readonly [sent: unknown, stored: unknown])[] = [
    [toTimestamp('2020-01-01T00:00:00+01:30'), toTimestamp('2019-12-31T22:30:00Z')],
    [toTimestamp('2020-01-01T00:00:00.123456789Z'), toTimestamp('2020-01-01T00:00:00.123456Z')],
    [toTimestamp('2020-02-29T00:00:00.000Z'), toTimestamp('2020-02-29T00:00:00Z')],
    [toBytes('_-8'), toBytes('/+8=')],
    [toGeoPoint({ latitude: '1.5', longitude: 0 }), toGeoPoint({ latitude: 1.5 })],
    [toGeoPoint({ latitude: -90, longitude: 180 }), toGeoPoint({ latitude: -90, longitude: 180 })],
    [{ stringValue: 5 }, { stringValue: '5' }],
    [{ nullValue: 'NULL_VALUE' }, { nullValue: null }],
    [{ arrayValue: { values: null } }, { arrayValue: {} }],
  ];
  const collection = createCollectionId();

  for (const [index, [value]] of values.entries()) {
    await store.set(`${collection}/${index}`, { v: value });
  }

  const documents = await runQuery(collection, {});
  expect(documents.map(({ fields }) => fields?.v)).toEqual(values.map(([, stored]) => stored));
});

test('a document can have any id that is not reserved, and lists are sorted by the bytes of the ids', async () => {
  const ids = '. |...|.a|10|9|B|__a|__a__b|a|a\nb\u0001|a b|a!|a0|b|é|\uFFFD|😀'.split('|');
  ids.splice(-2, 0, 'é'.repeat(750));
  const collection = createCollectionId();

  await store.setAll(ids.toReversed().map((id) => [`${collection}/${id}`, {}]));

  const names = (await runQuery(collection, {})).map(({ name }) => name);
  expect(names).toEqual(ids.map((id) => `${DOCUMENTS_ROOT}/${collection}/${id}`));
});

describe('a rejected commit', () => {
  const EXISTS = { currentDocument: { exists: true } };
  const NEW = { currentDocument: { exists: false } };
  const OLD = { currentDocument: { updateTime: '2020-01-01T00:00:00.000001Z' } };

  test.each<{ name: string; error: string; createWrite: (document: string) => object }>([
    {
      name: 'an update of a missing document that must exist',
      error: '404 NOT_FOUND',
      createWrite: (document) => createUpdate(`${document}0`, {}, EXISTS),
    },
    {
      name: 'a delete of a missing document that must exist',
      error: '404 NOT_FOUND',
      createWrite: (document) => ({ delete: `${document}0`, ...EXISTS }),
    },
    {
      name: 'an existing document that must not exist',
      error: '409 ALREADY_EXISTS',
      createWrite: (document) => createUpdate(document, {}, NEW),
    },
    {
      name: 'a document with another version',
      error: '400 FAILED_PRECONDITION',
      createWrite: (document) => createUpdate(document, {}, OLD),
    },
    {
      name: 'a missing document that must have a version',
      error: '400 FAILED_PRECONDITION',
      createWrite: (document) => ({ delete: `${document}0`, ...OLD }),
    },
    {
      name: 'an invalid value',
      error: '400 INVALID_ARGUMENT',
      createWrite: (document) => createUpdate(document, { a: toInteger('x') }),
    },
  ])('writes nothing because of $name', async ({ error, createWrite }) => {
    const path = `${createCollectionId()}/one`;
    const otherPath = `${createCollectionId()}/other`;
    await store.set(path, { a: 1 });

    const writes = [
      createUpdate(`${DOCUMENTS_ROOT}/${otherPath}`),
      createWrite(`${DOCUMENTS_ROOT}/${path}`),
    ];
    await expectRejected(':commit', { writes }, error);

    expect(await store.getAll([path, otherPath])).toEqual({ [path]: { a: 1 } });
  });
});

describe('rejects', () => {
  const document = `${DOCUMENTS_ROOT}/c/d`;
  const longId = 'x'.repeat(1501);
  const paths = ['', '/c', '/c/d/e', '/c/', '/c//d', '/c/.', '/c/..', '/c/__d__', '/__c__/d'];
  const masks = ['a-b', '', 'a.', '.a', '`a', '__a__', 'a.__b__', '0', longId];
  const preconditions = [
    { updateTime: 'yesterday' },
    { exists: 'x' },
    { exists: true, updateTime: '2020-01-01T00:00:00Z' },
  ];
  const values: readonly unknown[] = [
    toInteger(1.5),
    toInteger('9223372036854775808'),
    toDouble('x'),
    toInteger(null),
    toInteger(true),
    toDouble(''),
    toDouble(true),
    toDouble('0x10'),
    toDouble('1e400'),
    { booleanValue: 'x' },
    { booleanValue: 1 },
    { nullValue: 'x' },
    { stringValue: null },
    { stringValue: {} },
    'x'.repeat(MAX_VALUE_BYTES + 1),
    toTimestamp('yesterday'),
    toTimestamp('2020-01-01T00:00:00'),
    toTimestamp('0000-12-31T23:59:59Z'),
    toTimestamp('0001-01-01T00:00:00+00:01'),
    toTimestamp('10000-01-01T00:00:00Z'),
    ...['A', '!!!!', 'A A A', 'AA==AA==', 'é'].map(toBytes),
    { bytesValue: 5 },
    toReference('a'),
    toReference('a/.'),
    toReference('a/__b__'),
    toReference(`a/${longId}`),
    ...[-90.1, 91, 'NaN', 'x', true].map((latitude) => toGeoPoint({ latitude })),
    ...[-180.1, 181, 'Infinity'].map((longitude) => toGeoPoint({ longitude })),
    [[]],
    createNestedValue(21),
    { arrayValue: { values: [{ ...toInteger(1), ...toDouble(1) }] } },
  ];
  const transforms = [
    {},
    { increment: jsonToValue('x') },
    { increment: toInteger(1), setToServerValue: 1 },
    { setToServerValue: 'x' },
    { setToServerValue: 'SERVER_VALUE_UNSPECIFIED' },
  ];

  test.each([
    {
      name: 'a write that updates and deletes',
      writes: [createUpdate(document, {}, { delete: document })],
    },
    {
      name: 'an invalid document name',
      writes: [...paths, `/c/${longId}`].map((path) => createUpdate(DOCUMENTS_ROOT + path)),
    },
    {
      name: 'an invalid field path of a mask',
      writes: masks.map((path) =>
        createUpdate(document, {}, { updateMask: { fieldPaths: [path] } }),
      ),
    },
    {
      name: 'an invalid field name',
      writes: ['__a__', '', longId].map((field) => createUpdate(document, { [field]: 1 })),
    },
    {
      name: 'an invalid value',
      writes: values.map((value) => createUpdate(document, { value })),
    },
    {
      name: 'an invalid precondition',
      writes: preconditions.map((currentDocument) =>
        createUpdate(document, {}, { currentDocument }),
      ),
    },
    { name: 'fields that are a list', writes: [{ update: { name: document, fields: [] } }] },
    {
      name: 'an invalid transform',
      writes: transforms.map((transform) =>
        createUpdate(document, {}, { updateTransforms: [{ fieldPath: 'a', ...transform }] }),
      ),
    },
  ])('$name', async ({ writes }) => {
    for (const write of writes) await expectRejected(':commit', { writes: [write] });
  });

  test.each([
    { name: 'a negative limit', members: { limit: -1 } },
    { name: 'a limit beyond 32 bits', members: { limit: 2 ** 31 } },
    {
      name: 'a field to sort by that is named twice',
      members: { orderBy: [createOrder('a').orderBy, createOrder('a').orderBy].flat() },
    },
    {
      name: 'an unknown direction',
      members: { orderBy: [{ field: { fieldPath: 'a' }, direction: 7 }] },
    },
    ...['x', 99, 0].map((op) => ({
      name: `the unknown operator ${op}`,
      members: { where: { fieldFilter: { field: { fieldPath: 'a' }, op, value: toInteger(1) } } },
    })),
    {
      name: 'two collections',
      members: { from: [{ collectionId: 'c' }, { collectionId: 'd' }] },
    },
    { name: 'a reserved collection id', members: { from: [{ collectionId: '__a__' }] } },
    { name: 'an invalid field path', members: createOrder('a..b') },
    { name: 'IN without values', members: createFilter('IN', []) },
    { name: 'IN with 31 values', members: createFilter('IN', Array(31).fill(1)) },
    {
      name: 'a document ID that is not a reference',
      members: createFilter('EQUAL', 'a', '__name__'),
    },
    {
      name: 'a cursor with more values than sort fields',
      members: { ...createOrder('n'), ...createCursor(1, 2) },
    },
  ])('a query with $name', async ({ members }) => {
    const structuredQuery = { from: [{ collectionId: 'c' }], ...members };
    await expectRejected(':runQuery', { structuredQuery });
  });

  test('a body that is not JSON', async () => {
    for (const body of ['{', '{"writes": x}']) await expectRejected(':commit', body);
  });

  test('a request without administrator credentials', async () => {
    const url = `http://${firestoreHost}/v1/${DOCUMENTS_ROOT}:runQuery`;
    const body = JSON.stringify({ structuredQuery: { from: [{ collectionId: 'c' }] } });
    expect((await fetch(url, { method: 'POST', body })).status).toBe(403);
  });
});

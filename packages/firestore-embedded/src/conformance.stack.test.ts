/**
 * Behavior that the embedded Firestore shares with Google's emulator, and no call of the Admin SDK can show (sdk.stack.test.ts):
 * the order of all values, what our client reads of commits, and rejections. Runs on the first in `npm test`, on the second
 * in `npm run test:emulator`. Values are written as JSON, like those of the store.
 */
import { randomUUID } from 'node:crypto';
import { testStack } from '../../../dev/testing/testStack.ts';
import { LocalFirestore, jsonToFields, jsonToValue, type DocumentData } from './localFirestore.ts';

const { projectId, firestoreHost } = testStack();
const store = new LocalFirestore(firestoreHost, projectId);
const ROOT = `projects/${projectId}/databases/(default)/documents`;

const fresh = () => `c-${randomUUID()}`;
const update = (name: string, data: DocumentData = {}, others: object = {}) => ({
  update: { name, fields: jsonToFields(data) },
  ...others,
});
const by = (fieldPath: string) => ({ orderBy: [{ field: { fieldPath } }] });
const after = (...values: readonly unknown[]) => ({
  startAt: { values: values.map(jsonToValue), before: false },
});
const filter = (op: string, value: unknown, fieldPath = 'n') => ({
  where: { fieldFilter: { field: { fieldPath }, op, value: jsonToValue(value) } },
});

const int = (integerValue: unknown) => ({ integerValue });
const dbl = (doubleValue: unknown) => ({ doubleValue });
const time = (timestampValue: string) => ({ timestampValue });
const bytes = (bytesValue: string) => ({ bytesValue });
const ref = (path: string) => ({ referenceValue: `${ROOT}/${path}` });
const place = (geoPointValue: object) => ({ geoPointValue });

/** A value that is nested this deep, in maps and lists by turns. */
function nested(levels: number): unknown {
  if (levels === 0) return 1;
  return levels % 2 === 0 ? [nested(levels - 1)] : { a: nested(levels - 1) };
}

async function found(collectionId: string, others: object) {
  const structuredQuery = { from: [{ collectionId }], ...others };
  const response = await store.send(':runQuery', { structuredQuery });
  const elements = (await response.json()) as {
    document?: { name: string; fields?: DocumentData };
  }[];
  return elements.flatMap(({ document }) => document ?? []);
}

async function expectRejection(
  path: string,
  body: object | string,
  expected = '400 INVALID_ARGUMENT',
) {
  const response = await store.send(path, body);
  const { error } = (await response.json()) as { error?: { status: string; message: string } };
  expect([body, `${response.status} ${error?.status ?? ''}`, error]).toEqual([
    body,
    expected,
    expect.objectContaining({ message: expect.any(String) as string }),
  ]);
}

test('values are stored as they were sent, and ordered like all kinds', async () => {
  const ordered = [
    null,
    false,
    true,
    dbl('NaN'),
    dbl('-Infinity'),
    int('-9223372036854775808'),
    -0.5,
    0,
    0.5,
    dbl(150),
    dbl(9_007_199_254_740_992),
    int('9007199254740993'),
    dbl(1e300),
    dbl('Infinity'),
    time('0001-01-01T00:00:00Z'),
    time('1969-12-31T23:59:59.999999Z'),
    time('2020-01-01T00:00:00Z'),
    time('2020-01-01T00:00:00.000001Z'),
    time('2020-01-01T00:00:00.100Z'),
    time('2020-01-01T00:00:01Z'),
    '',
    'A',
    'a',
    'a\u0000',
    'ab',
    'é',
    '\uFFFD',
    '😀',
    bytes(''),
    bytes('AA=='),
    bytes('AAA='),
    bytes('/w=='),
    ref('a/b'),
    ref('a/b/c/d'),
    ref('a/b!'),
    ref('a!/b'),
    place({ latitude: -1, longitude: 9 }),
    place({}),
    place({ longitude: 1 }),
    { arrayValue: {} },
    [1],
    [1, 0],
    [2],
    [''],
    nested(20),
    { mapValue: {} },
    { __a: 'ü\n"', '`a.b': 1 },
    { a: 2 },
    { b: 0, a: 2 },
    { a: '' },
    { b: 0 },
  ];
  const collection = fresh();
  // Stored in another order than that of their ids.
  await store.setAll(
    ordered.map((value, index) => [`${collection}/${(index * 37) % 100}`, { value }]),
  );

  const read = async (others: object) =>
    (await found(collection, { ...by('value'), ...others })).map(({ fields }) => fields?.value);
  const sent = ordered.map(jsonToValue);
  expect(await read({})).toEqual(sent);
  for (const [index, value] of ordered.entries()) {
    expect(await read(after(value))).toEqual(sent.slice(index + 1));
  }
});

test('a document can have any other id; lists have them in the order of their bytes', async () => {
  const ids = '. |...|.a|10|9|B|__a|__a__b|a|a\nb\u0001|a b|a!|a0|b|é|\uFFFD|😀'.split('|');
  ids.splice(-2, 0, 'é'.repeat(750));
  const collection = fresh();

  await store.setAll(ids.toReversed().map((id) => [`${collection}/${id}`, {}]));

  const names = (await found(collection, {})).map(({ name }) => name);
  expect(names).toEqual(ids.map((id) => `${ROOT}/${collection}/${id}`));
});

describe('a commit', () => {
  const EXISTS = { currentDocument: { exists: true } };
  const NEW = { currentDocument: { exists: false } };
  const OLD = { currentDocument: { updateTime: '2020-01-01T00:00:00.000001Z' } };

  test.each<[string, string, (name: string) => object]>([
    ['no document to update', '404 NOT_FOUND', (name) => update(`${name}0`, {}, EXISTS)],
    ['none to delete', '404 NOT_FOUND', (name) => ({ delete: `${name}0`, ...EXISTS })],
    ['one in place', '409 ALREADY_EXISTS', (name) => update(name, {}, NEW)],
    ['another version', '400 FAILED_PRECONDITION', (name) => update(name, {}, OLD)],
    ['no version', '400 FAILED_PRECONDITION', (name) => ({ delete: `${name}0`, ...OLD })],
    ['an invalid value', '400 INVALID_ARGUMENT', (name) => update(name, { a: int('x') })],
  ])('writes nothing at all because of %s', async (_what, code, write) => {
    const [path, other] = [`${fresh()}/one`, `${fresh()}/other`];
    await store.set(path, { a: 1 });

    const writes = [update(`${ROOT}/${other}`), write(`${ROOT}/${path}`)];
    await expectRejection(':commit', { writes }, code);

    expect(await store.getAll([path, other])).toEqual({ [path]: { a: 1 } });
  });
});

describe('is rejected:', () => {
  const name = `${ROOT}/c/d`;
  const long = 'x'.repeat(1501);
  const names = ['', '/c', '/c/d/e', '/c/', '/c//d', '/c/.', '/c/..', '/c/__d__', '/__c__/d'];
  const masks = ['a-b', '', 'a.', '.a', '`a', '__a__', 'a.__b__', '0'];
  const values: readonly unknown[] = [
    int(1.5),
    int('9223372036854775808'),
    dbl('x'),
    time('yesterday'),
    ref('a'),
    [[]],
    nested(21),
    { arrayValue: { values: [{ ...int(1), ...dbl(1) }] } },
  ];
  const updating = (others: object) => update(name, {}, others);
  const transforming = (transform: object) =>
    updating({ updateTransforms: [{ fieldPath: 'a', ...transform }] });

  test.each<[string, ...object[]]>([
    ['an update with a delete', updating({ delete: name })],
    ['a name', ...[...names, `/c/${long}`].map((path) => update(ROOT + path))],
    ['a mask', ...masks.map((path) => updating({ updateMask: { fieldPaths: [path] } }))],
    ['a field', ...['__a__', '', long].map((field) => update(name, { [field]: 1 }))],
    ['a value', ...values.map((value) => update(name, { value }))],
    [
      'a transform',
      ...[{}, { increment: jsonToValue('x') }, { increment: int(1), setToServerValue: 1 }].map(
        transforming,
      ),
    ],
  ])('%s of a write', async (_what, ...writes) => {
    for (const write of writes) await expectRejection(':commit', { writes: [write] });
  });

  test.each<object>([
    { limit: -1 },
    { from: [{ collectionId: 'c' }, { collectionId: 'd' }] },
    { from: [{ collectionId: '__a__' }] },
    by('a..b'),
    filter('IN', []),
    filter('IN', Array(31).fill(1)),
    filter('EQUAL', 'a', '__name__'),
    { ...by('n'), ...after(1, 2) },
  ])('a query with %j', async (others) => {
    const structuredQuery = { from: [{ collectionId: 'c' }], ...others };
    await expectRejection(':runQuery', { structuredQuery });
  });

  test('what is no JSON', async () => {
    for (const body of ['{', '{"writes": x}']) await expectRejection(':commit', body);
  });

  test('a request without administrator credentials', async () => {
    const url = `http://${firestoreHost}/v1/${ROOT}:runQuery`;
    const body = JSON.stringify({ structuredQuery: { from: [{ collectionId: 'c' }] } });
    expect((await fetch(url, { method: 'POST', body })).status).toBe(403);
  });
});

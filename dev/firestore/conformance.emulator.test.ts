/**
 * What the embedded Firestore shares with Google's emulator, and no call of the Admin SDK can show (sdk.emulator.test.ts):
 * the forms of JSON, the order of all values, and refusals. Runs on the first in `npm test`, on the second in
 * `npm run test:official`. Values are written as JSON, like those of the store.
 */
import { randomUUID } from 'node:crypto';
import { testStack } from '../shared/testStack.ts';
import { Store, toFields, toValue, type Data } from '../shared/store.ts';

const { projectId, firestoreHost } = testStack();
const store = new Store(firestoreHost, projectId);
const ROOT = `projects/${projectId}/databases/(default)/documents`;

interface Document {
  readonly name: string;
  readonly fields?: Data;
}

const INVALID = '400 INVALID_ARGUMENT';

async function expectRefused(path: string, body: object | string, expected = INVALID) {
  const response = await store.send(path, body);
  const { error } = (await response.json()) as { error?: { status: string; message: string } };
  const received = `${response.status} ${error?.status ?? ''}`;
  expect([body, received, error]).toEqual([
    body,
    expected,
    expect.objectContaining({ message: expect.any(String) as string }),
  ]);
}

async function found(collectionId: string, others: object = {}): Promise<Document[]> {
  const structuredQuery = { from: [{ collectionId }], ...others };
  const response = await store.send(':runQuery', { structuredQuery });
  const elements = (await response.json()) as readonly { readonly document?: Document }[];
  return elements.flatMap(({ document }) => document ?? []);
}

const fresh = () => `c-${randomUUID()}`;
const update = (name: string, data: Data = {}, others: object = {}) => ({
  update: { name, fields: toFields(data) },
  ...others,
});
const mask = (...fieldPaths: readonly string[]) => ({ updateMask: { fieldPaths } });
const only = (currentDocument: object) => ({ currentDocument });

const int = (integerValue: unknown) => ({ integerValue });
const dbl = (doubleValue: unknown) => ({ doubleValue });
const time = (timestampValue: string) => ({ timestampValue });
const bytes = (bytesValue: string) => ({ bytesValue });
const ref = (path: string) => ({ referenceValue: `${ROOT}/${path}` });
const place = (geoPointValue: object) => ({ geoPointValue });
const list = (...values: readonly object[]) => ({ arrayValue: { values } });
const EMPTY_LIST = { arrayValue: {} };
const EMPTY_MAP = { mapValue: {} };

/** A value that is nested this deep, in maps and lists by turns. */
function nested(levels: number): unknown {
  if (levels === 0) return 1;
  return levels % 2 === 0 ? [nested(levels - 1)] : { a: nested(levels - 1) };
}

const by = (...paths: readonly string[]) => ({
  orderBy: paths.map((fieldPath) => ({ field: { fieldPath } })),
});
const after = (...values: readonly unknown[]) => ({
  startAt: { values: values.map(toValue), before: false },
});

describe('a value', () => {
  test.each<[string, unknown, unknown]>([
    ['an integer as a number', int(7), 7],
    ['a double as text', dbl('1.5'), 1.5],
    ['tenths', time('2020-01-01T00:00:00.1Z'), time('2020-01-01T00:00:00.100Z')],
    ['nanoseconds', time('2020-01-01T00:00:00.123456789Z'), time('2020-01-01T00:00:00.123456Z')],
    ['a UTC offset', time('2020-01-01T01:00:00+01:00'), time('2020-01-01T00:00:00Z')],
    ['bytes for URLs, without padding', bytes('_-8'), bytes('/+8=')],
    ['names of any characters', { '`a.b': 1, __a: 'ü\n"' }, { '`a.b': 1, __a: 'ü\n"' }],
    ['20 levels', nested(20), nested(20)],
  ])('is stored in one form: %s', async (_what, sent, expected) => {
    const path = `${fresh()}/one`;

    await store.set(path, { sent });

    expect(await store.get(path)).toEqual({ sent: expected });
  });

  test('is stored as it was sent, and ordered like all kinds', async () => {
    const ordered = [
      ...[null, false, true],
      ...[dbl('NaN'), dbl('-Infinity'), int('-9223372036854775808'), -0.5, 0, 0.5, dbl(150)],
      ...[dbl(9_007_199_254_740_992), int('9007199254740993'), dbl(1e300), dbl('Infinity')],
      ...[time('0001-01-01T00:00:00Z'), time('1969-12-31T23:59:59.999999Z')],
      ...[time('2020-01-01T00:00:00Z'), time('2020-01-01T00:00:00.000001Z')],
      ...[time('2020-01-01T00:00:00.100Z'), time('2020-01-01T00:00:01Z')],
      ...['', 'A', 'a', 'a\u0000', 'ab', 'é', '\uFFFD', '😀'],
      ...[bytes(''), bytes('AA=='), bytes('AAA='), bytes('/w==')],
      ...[ref('a/b'), ref('a/b/c/d'), ref('a/b!'), ref('a!/b')],
      ...[place({ latitude: -1, longitude: 9 }), place({}), place({ longitude: 1 })],
      ...[EMPTY_LIST, [1], [1, 0], [2], ['']],
      ...[EMPTY_MAP, { a: 2 }, { b: 0, a: 2 }, { a: '' }, { b: 0 }],
    ];
    const collection = fresh();
    // Stored in another order than that of their ids.
    await store.setAll(
      ordered.map((value, index) => [`${collection}/${(index * 37) % 100}`, { value }]),
    );

    const read = async (others: object) =>
      (await found(collection, { ...by('value'), ...others })).map(({ fields }) => fields?.value);
    const sent = ordered.map(toValue);
    expect(await read({})).toEqual(sent);
    for (const [index, value] of ordered.entries()) {
      expect(await read(after(value))).toEqual(sent.slice(index + 1));
    }
  });
});

describe('a document', () => {
  test('can have any other id; lists have them in the order of their bytes', async () => {
    const ids = '. |...|.a|10|9|B|__a|__a__b|a|a\nb\u0001|a b|a!|a0|b|é|\uFFFD|😀'.split('|');
    ids.splice(-2, 0, 'é'.repeat(750));
    const collection = fresh();
    const paths = ids.map((id) => `${collection}/${id}`);

    await store.setAll(paths.toReversed().map((path) => [path, {}]));

    for (const path of paths) expect(await store.get(path)).toEqual({});
    const names = paths.map((path) => `${ROOT}/${path}`);
    expect((await found(collection)).map(({ name }) => name)).toEqual(names);
  });
});

describe('a commit', () => {
  test.each<[string, object, unknown, unknown]>([
    ['the larger number', { maximum: int(2) }, 1, 2],
    ['the stored one if both are equal', { maximum: dbl(1) }, 1, 1],
    ['the smaller number', { minimum: dbl(1.5) }, 3, 1.5],
    ['a number instead of another value', { minimum: int(2) }, 'x', 2],
    [
      'a sum within 64 bits',
      { increment: int(9) },
      int('9223372036854775806'),
      int('9223372036854775807'),
    ],
  ])('can leave %s, and says so', async (_what, transform, n, expected) => {
    const path = `${fresh()}/one`;
    await store.set(path, { n });

    const updateTransforms = [{ fieldPath: 'n', ...transform }];
    const writes = [update(`${ROOT}/${path}`, {}, { ...mask(), updateTransforms })];
    const response = await store.send(':commit', { writes });

    const writeResults = [{ transformResults: [toValue(expected)] }];
    expect(await response.json()).toMatchObject({ writeResults });
    expect(await store.get(path)).toEqual({ n: expected });
  });

  const EXISTS = { exists: true };
  const OLD = { updateTime: '2020-01-01T00:00:00.000001Z' };

  test.each<[string, (name: string) => object, string]>([
    ['no document to update', (name) => update(`${name}0`, {}, only(EXISTS)), '404 NOT_FOUND'],
    ['none to delete', (name) => ({ delete: `${name}0`, ...only(EXISTS) }), '404 NOT_FOUND'],
    ['one in place', (name) => update(name, {}, only({ exists: false })), '409 ALREADY_EXISTS'],
    ['another version', (name) => update(name, {}, only(OLD)), '400 FAILED_PRECONDITION'],
    ['no version', (name) => ({ delete: `${name}0`, ...only(OLD) }), '400 FAILED_PRECONDITION'],
    ['an invalid value', (name) => update(name, { a: int('x') }), INVALID],
  ])('writes nothing at all because of %s', async (_what, write, code) => {
    const [path, other] = [`${fresh()}/one`, `${fresh()}/other`];
    await store.set(path, { a: 1 });

    const writes = [update(`${ROOT}/${other}`), write(`${ROOT}/${path}`)];
    await expectRefused(':commit', { writes }, code);

    expect(await store.getAll([path, other])).toEqual({ [path]: { a: 1 } });
  });
});

describe('is refused:', () => {
  const one = `${ROOT}/c/d`;
  const writing = (...writes: object[]) => ({ writes });
  const storing = (value: unknown) => writing(update(one, { value }));
  const masking = (path: string) => writing(update(one, {}, mask(path)));
  const transforming = (transform: object) =>
    writing(update(one, {}, { updateTransforms: [{ fieldPath: 'a', ...transform }] }));
  const preconditions = { exists: true, updateTime: '2020-01-01T00:00:00Z' };

  test.each<[string, ...(object | string)[]]>([
    ['no JSON', '{'],
    ['no list of writes', '[]', { writes: {} }],
    [
      'an update of nothing, or with a delete',
      writing({}),
      writing({ ...update(one), delete: one }),
    ],
    ['a delete with a mask', writing({ delete: one, ...mask('a') })],
    ['a transform to nothing, or by text', ...[{}, { increment: toValue('x') }].map(transforming)],
    ['an id of 1501 bytes', writing(update(one + 'x'.repeat(1500)))],
    ['two preconditions', writing({ delete: one, ...only(preconditions) })],
    ['a mask', ...['a-b', '', 'a.', '.a', '`a', '__a__', 'a.__b__', '0'].map(masking)],
    ['no integer, or one of 65 bits', ...[1.5, 'x', '9223372036854775808'].map(int).map(storing)],
    ['no double, no time', ...[dbl('x'), time('yesterday')].map(storing)],
    ['a reference to no document', storing(ref('a'))],
    ['two types, or none', ...[list({ ...int(1), ...dbl(1) }), list({})].map(storing)],
    ['a list in a list', storing([[]])],
    [
      'a reserved, empty or long field',
      ...['__a__', '', 'x'.repeat(1501)].map((name) => storing({ [name]: 1 })),
    ],
    ['21 levels', storing(nested(21))],
  ])('a commit with %s', async (_what, ...bodies) => {
    for (const body of bodies) await expectRefused(':commit', body);
  });

  test.each<[string, ...string[]]>([
    ['a reserved id', '/c/__d__', '/__c__/d'],
    ['the id “.” or “..”', '/c/.', '/c/..'],
    ['an empty id', '/c/', '/c//d'],
    ['the name of something else', '', '/c', '/c/d/e', 'x/c/d'],
  ])('a document with %s', async (_what, ...paths) => {
    for (const name of paths.map((path) => ROOT + path)) {
      await expectRefused(':commit', writing(update(name)));
      await expectRefused(':commit', writing({ delete: name }));
      await expectRefused(':batchGet', { documents: [name] });
    }
  });

  const filter = (op: string, value: unknown, fieldPath = 'n') => ({
    where: { fieldFilter: { field: { fieldPath }, op, value: toValue(value) } },
  });

  test.each<[string, ...object[]]>([
    ['an invalid limit', { limit: -1 }, { limit: 1.5 }],
    ['two collections', { from: [{ collectionId: 'c' }, { collectionId: 'd' }] }],
    ['an invalid collection', ...['a/b', '__a__'].map((id) => ({ from: [{ collectionId: id }] }))],
    ['an invalid order', by('n', 'n'), by('__name__', 'n'), by('a..b')],
    ['all collections in another order', { from: [{ allDescendants: true }], ...by('n') }],
    [
      'a filter of nothing',
      { where: {} },
      { where: { fieldFilter: { field: { fieldPath: 'n' } } } },
    ],
    ['a list of no values to be in, or of 31', filter('IN', []), filter('IN', Array(31).fill(1))],
    ['no list to be in', filter('NOT_IN', 1)],
    ['a name that is no reference', filter('EQUAL', 'a', '__name__')],
    ['too many values to start at', { ...by('n'), ...after(1, 2) }],
  ])('a query with %s', async (_what, ...queries) => {
    for (const others of queries) {
      const structuredQuery = { from: [{ collectionId: 'c' }], ...others };
      await expectRefused(':runQuery', { structuredQuery });
    }
  });

  test('whoever is no administrator', async () => {
    const { status } = await fetch(`http://${firestoreHost}/v1/${ROOT}/c`);

    expect(status).toBe(403);
  });
});

/**
 * The behaviour of Firestore's REST API that the embedded Firestore shares with Google's emulator: this suite runs on
 * both, on the first in `npm test`, on the second in `npm run test:official`. Values are written as JSON, like those of
 * the store.
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
  readonly createTime: string;
  readonly updateTime: string;
}

/** Sends a request, and returns the status and the JSON of the response. */
async function send(
  path: string,
  body?: object | string,
): Promise<[status: number, json: unknown]> {
  const response = await store.send(path, body);
  return [response.status, await response.json()];
}

async function call<Result>(path: string, body?: object): Promise<Result> {
  const [status, json] = await send(path, body);
  expect([status, json]).toEqual([200, expect.anything()]);
  return json as Result;
}

const INVALID = '400 INVALID_ARGUMENT';
const FAILED = '400 FAILED_PRECONDITION';
const NOT_FOUND = '404 NOT_FOUND';
const EXISTING = '409 ALREADY_EXISTS';

async function expectRefused(path: string, body?: object | string, expected = INVALID) {
  const [code = '', status] = expected.split(' ');
  const error: unknown = expect.objectContaining({ status, message: expect.any(String) as string });
  expect({ sent: body, received: await send(path, body) }).toEqual({
    sent: body,
    received: [Number(code), { error }],
  });
}

interface Committed {
  readonly commitTime: string;
  readonly writeResults: readonly { readonly updateTime?: string }[];
}

async function commit(...writes: readonly object[]): Promise<Committed> {
  return call<Committed>(':commit', { writes });
}

async function batchGet(documents: readonly string[], others: object = {}) {
  type Found = readonly { readonly found?: Document; readonly missing?: string }[];
  return call<Found>(':batchGet', { documents, ...others });
}

async function stored(name: string): Promise<Document | undefined> {
  return (await batchGet([name]))[0]?.found;
}

const fresh = () => `c-${randomUUID()}`;
const freshName = () => `${ROOT}/${fresh()}/one`;
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

const same = (value: unknown) => [value, value] as const;

/** A value that is nested this deep, in maps and lists by turns. */
function nested(levels: number): unknown {
  if (levels === 0) return 1;
  return levels % 2 === 0 ? [nested(levels - 1)] : { a: nested(levels - 1) };
}

describe('a value', () => {
  test.each<[string, unknown, unknown]>([
    ['null by its name', { nullValue: 'NULL_VALUE' }, null],
    ['an integer as a number', int(7), 7],
    ['a double as text', dbl('1.5'), 1.5],
    ['a negative zero', dbl('-0'), dbl(0)],
    ['tenths', time('2020-01-01T00:00:00.1Z'), time('2020-01-01T00:00:00.100Z')],
    ['nanoseconds', time('2020-01-01T00:00:00.123456789Z'), time('2020-01-01T00:00:00.123456Z')],
    ['a UTC offset', time('2020-01-01T01:00:00+01:00'), time('2020-01-01T00:00:00Z')],
    ['bytes for URLs, without padding', bytes('_-8'), bytes('/+8=')],
    ['a geo point at 0', place({ latitude: 0, longitude: 1 }), place({ longitude: 1 })],
    ['an empty list', [], EMPTY_LIST],
    ['an empty list inside', { a: [] }, { a: EMPTY_LIST }],
    ['an empty map', {}, EMPTY_MAP],
    ['names of any characters', ...same({ 'a.b': 1, '`': null, __a: 'ü\n\u0000"' })],
    ['20 levels', ...same(nested(20))],
  ])('is stored in one form: %s', async (_what, sent, expected) => {
    const name = freshName();

    await commit(update(name, { sent }));

    expect((await stored(name))?.fields).toEqual(toFields({ sent: expected }));
  });

  test.each<[string, ...unknown[]]>([
    ['an integer that is none, or has 65 bits', int(1.5), int('x'), int('9223372036854775808')],
    ['a double that is none', dbl('x')],
    ['another null', { nullValue: 'x' }],
    ['a time that is none', time('yesterday'), time('0000-12-31T00:00:00Z')],
    ['bytes that are not base64', bytes('*')],
    ['a geo point beyond the pole', place({ latitude: 90.5 })],
    ['a reference to no document', { referenceValue: 'x' }, ref('a')],
    ['two types, or none', ...[{ ...int(1), ...dbl(1) }, {}].map((one) => list(one))],
    ['a list in a list', [[]]],
    ['a reserved or empty field', { __a__: 1 }, { '': 1 }],
    ['a field of 1501 bytes, text of 1 MiB', { ['é'.repeat(750) + 'x']: 1 }, 'x'.repeat(1_048_488)],
    ['21 levels', nested(21)],
  ])('is refused: %s', async (_what, ...values) => {
    for (const value of values) {
      await expectRefused(':commit', { writes: [update(freshName(), { value })] });
    }
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
      ...[EMPTY_MAP, { a: 2 }, { a: 2, b: 0 }, { a: '' }, { b: 0 }],
    ];
    const collection = fresh();
    // Stored in another order than that of their ids.
    const writes = ordered.map((value, index) =>
      update(`${ROOT}/${collection}/${(index * 37) % 100}`, { value }),
    );
    await commit(...writes);

    const query = { from: [{ collectionId: collection }], ...by('value') };
    const sent = writes.map((write) => write.update);
    const shown = (documents: Document[]) =>
      documents.map(({ name, fields }) => ({ name, fields }));
    expect(shown(await found(query))).toEqual(sent);
    for (const [index, value] of ordered.entries()) {
      expect(shown(await found({ ...query, ...after(value) }))).toEqual(sent.slice(index + 1));
    }
  });
});

describe('a document', () => {
  test('can have any other id; lists have them in the order of their bytes', async () => {
    const ids = '. |...|.a|10|9|B|__a|__a__b|a|a\nb\u0001|a b|a!|a0|b|é|\uFFFD|😀'.split('|');
    ids.splice(-2, 0, 'é'.repeat(750));
    const collection = fresh();
    const names = ids.map((id) => `${ROOT}/${collection}/${id}`);
    expect((await batchGet(names)).map(({ missing }) => missing).sort()).toEqual([...names].sort());

    await commit(...names.toReversed().map((name) => update(name)));

    expect(await batchGet(names)).toHaveLength(names.length);
    for (const name of names) expect(await stored(name)).toMatchObject({ name });
    expect(idsOf(await found({ from: [{ collectionId: collection }] }))).toEqual(ids);
  });

  test.each<[string, ...string[]]>([
    ['a reserved id', '/c/__d__', '/__c__/d'],
    ['the id “.” or “..”', '/c/.', '/c/..'],
    ['an empty id', '/c/', '/c//d'],
    ['the name of something else', '', '/c', '/c/d/e', 'x/c/d'],
  ])('cannot have %s', async (_what, ...paths) => {
    for (const path of paths) {
      const name = ROOT + path;
      await expectRefused(':commit', { writes: [update(name)] });
      await expectRefused(':commit', { writes: [{ delete: name }] });
      await expectRefused(':batchGet', { documents: [name] });
    }
  });

  test('is read by its name, or with the others of its collection, page by page', async () => {
    type Page = Readonly<{ documents: Document[]; nextPageToken?: string }>;
    const collection = fresh();
    const names = ['a', 'b', 'c'].map((id) => `${ROOT}/${collection}/${id}`);
    await commit(...[...names, `${names[0] ?? ''}/sub/x`].map((name) => update(name, { n: 1 })));

    const { documents } = await call<Page>(`/${collection}`);
    const page = await call<Page>(`/${collection}?pageSize=2`);
    const token = encodeURIComponent(page.nextPageToken ?? '');
    const rest = await call<Page>(`/${collection}?pageSize=2&pageToken=${token}`);

    expect(documents.map(({ name }) => name)).toEqual(names);
    expect(await call(`/${collection}/a`)).toEqual(documents[0]);
    expect(await stored(names[0] ?? '')).toEqual(documents[0]);
    expect([...page.documents, ...rest.documents]).toEqual(documents);
    expect(rest).not.toHaveProperty('nextPageToken');
    expect(await call(`/${fresh()}`)).toEqual({});
    await expectRefused(`/${collection}/none`, undefined, NOT_FOUND);
  });

  test.each<[readonly string[], Data | undefined]>([
    [['a.b', '`x.y`'], { a: { b: 1 }, 'x.y': '' }],
    [['a.b', 'a'], { a: { b: 1, c: 2 } }],
    [['none', 'a.none', 'x', 'a.b.c', '__name__'], undefined],
    [[], undefined],
  ])('is read, and found, with the fields %j', async (paths, data) => {
    const collection = fresh();
    const name = `${ROOT}/${collection}/one`;
    const missing = `${name}-none`;
    await commit(update(name, { a: { b: 1, c: 2 }, 'x.y': '' }));
    const { createTime, updateTime } = (await stored(name)) ?? {};

    const read = await batchGet([missing, name, name], { mask: { fieldPaths: paths } });
    const select = { fields: paths.map((fieldPath) => ({ fieldPath })) };
    const selected = await found({ from: [{ collectionId: collection }], select });

    const expected = { name, ...(data && { fields: toFields(data) }), createTime, updateTime };
    const readTime: unknown = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(read).toHaveLength(2);
    expect(read).toContainEqual({ found: expected, readTime });
    expect(read).toContainEqual({ missing, readTime });
    expect(selected).toEqual([expected]);
  });
});

describe('a commit', () => {
  const before = { a: 1, m: { x: 1, y: 2 } };
  const QUOTED = { 'a.b': null, '`\\': true };

  test.each<[string, Data, readonly string[] | undefined, Data]>([
    ['replaces all fields without a mask', { b: 1 }, undefined, { b: 1 }],
    ['changes nothing with an empty mask', { a: 2 }, [], before],
    ['replaces what is in the mask', { b: 3, c: 4 }, ['b'], { ...before, b: 3 }],
    ['removes what has no value', { m: { x: true } }, ['a', 'm'], { m: { x: true } }],
    ['leaves an empty map', {}, ['m.x', 'm.y'], { a: 1, m: EMPTY_MAP }],
    ['makes a map of a value', { a: { q: true } }, ['a.q'], { ...before, a: { q: true } }],
    ['removes nothing below another value', {}, ['a.q', 'm.x.q', 'none.q'], before],
    ['reads quoted names', QUOTED, ['`a.b`', '`\\`\\\\`', 'a', 'm'], QUOTED],
  ])('%s', async (_what, data, paths, expected) => {
    const name = freshName();
    await commit(update(name, before));

    await commit(update(name, data, { ...(paths && mask(...paths)), ...only({ exists: true }) }));

    expect((await stored(name))?.fields).toEqual(toFields(expected));
  });

  test('creates documents, also empty ones, and deletes them, also missing ones', async () => {
    const collection = fresh();
    const name = `${ROOT}/${collection}/one`;

    await commit(update(name, { a: 1 }, { ...mask('b'), ...only({ exists: false }) }));
    expect(await stored(name)).toMatchObject({ name });
    expect((await commit({ delete: name })).writeResults).toEqual([{}]);
    expect(await stored(name)).toBeUndefined();
    expect(await found({ from: [{ collectionId: collection }] })).toEqual([]);
    await commit({ delete: name });
  });

  test.each<[string, object, unknown, unknown]>([
    ['the larger number', { maximum: int(2) }, 1, 2],
    ['the one of a mixed kind', { maximum: dbl(1.5) }, 1, 1.5],
    ['the stored one if both are equal', { maximum: dbl(1) }, 1, 1],
    ['the smaller number', { minimum: int(2) }, 3, 2],
    ['a number instead of another value', { minimum: int(2) }, 'x', 2],
    [
      'a sum within 64 bits',
      { increment: int(9) },
      int('9223372036854775806'),
      int('9223372036854775807'),
    ],
  ])('can leave %s, and says so', async (_what, transform, n, expected) => {
    const name = freshName();
    await commit(update(name, { n }));

    const updateTransforms = [{ fieldPath: 'n', ...transform }];
    const { writeResults } = await commit(update(name, {}, { ...mask(), updateTransforms }));

    expect(writeResults).toMatchObject([{ transformResults: [toValue(expected)] }]);
    expect((await stored(name))?.fields).toEqual(toFields({ n: expected }));
  });

  const EXISTS = { exists: true };
  const OLD = { updateTime: '2020-01-01T00:00:00.000001Z' };

  test.each<[string, (name: string) => object, string]>([
    ['no document to update', (name) => update(`${name}0`, {}, only(EXISTS)), NOT_FOUND],
    ['none to delete', (name) => ({ delete: `${name}0`, ...only(EXISTS) }), NOT_FOUND],
    ['one in place', (name) => update(name, {}, only({ exists: false })), EXISTING],
    ['another version', (name) => update(name, {}, only(OLD)), FAILED],
    ['no version', (name) => ({ delete: `${name}0`, ...only(OLD) }), FAILED],
    ['an invalid value', (name) => update(name, { a: int('x') }), INVALID],
  ])('writes nothing at all because of %s', async (_what, write, code) => {
    const [name, other] = [freshName(), freshName()];
    await commit(update(name, { a: 1 }));

    await expectRefused(':commit', { writes: [update(other), write(name)] }, code);

    expect(await stored(other)).toBeUndefined();
    expect((await stored(name))?.fields).toEqual({ a: toValue(1) });
  });

  test('may have more than 500 writes', async () => {
    const collection = fresh();
    const writes = Array.from({ length: 501 }, (_, n) => update(`${ROOT}/${collection}/${n}`));

    expect((await commit(...writes)).writeResults).toHaveLength(501);
  });

  const one = `${ROOT}/c/d`;

  const writing = (...writes: object[]) => ({ writes });

  test.each<[string, ...(object | string)[]]>([
    ['is no JSON', '{'],
    ['has no list of writes', '[]', { writes: {} }],
    ['updates nothing, or deletes too', writing({}), writing({ ...update(one), delete: one })],
    ['has a mask and deletes', writing({ delete: one, ...mask('a') })],
    ['has an id of 1501 bytes', writing(update(one + 'x'.repeat(1500)))],
    [
      'has a transform of nothing, or by text',
      ...[{}, { increment: { stringValue: 'x' } }].map((transform) =>
        writing(update(one, {}, { updateTransforms: [{ fieldPath: 'a', ...transform }] })),
      ),
    ],
    ['has two preconditions', writing({ delete: one, ...only({ ...EXISTS, ...OLD }) })],
    [
      'has an invalid mask',
      ...['a-b', '', 'a.', '.a', '`a', '__a__', 'a.__b__', '0'].map((path) =>
        writing(update(one, {}, mask(path))),
      ),
    ],
  ])('is refused if it %s', async (_what, ...bodies) => {
    for (const body of bodies) await expectRefused(':commit', body);
  });
});

describe('an update time', () => {
  /** With six digits after the seconds, so that the order of texts is that of times. */
  const padded = (updateTime = '') =>
    updateTime.replace(/\.?(\d*)Z$/, (_end, digits: string) => `.${digits.padEnd(6, '0')}`);

  test('rises with every write that changes the document, and is the time of the commit', async () => {
    const name = freshName();
    const times = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const { writeResults, commitTime } = await commit(update(name, { n }));
        expect(writeResults).toEqual([{ updateTime: commitTime }]);
        return padded(commitTime);
      }),
    );

    const { updateTime, createTime } = (await stored(name)) ?? {};
    expect(new Set(times).size).toBe(50);
    expect([padded(createTime), padded(updateTime)]).toEqual([times.sort()[0], times.at(-1)]);
  });

  test('stays if a write changes nothing, and changes if an integer becomes a double', async () => {
    const name = freshName();
    const data = { n: 1, d: dbl('NaN'), zero: dbl(0), m: { x: 1, y: bytes('AP8=') } };
    const { commitTime: updateTime } = await commit(update(name, data));

    const same = { m: data.m, n: int(1), d: data.d, zero: dbl('-0') };
    for (const write of [update(name, same), update(name, same, mask('n', 'none', 'm.none'))]) {
      expect((await commit(write)).writeResults).toEqual([{ updateTime }]);
    }
    expect((await stored(name))?.updateTime).toBe(updateTime);
    const changed = await commit(update(name, { n: dbl(1) }));
    expect(changed.commitTime).not.toBe(updateTime);
    expect(await stored(name)).toEqual({
      name,
      fields: { n: dbl(1) },
      createTime: updateTime,
      updateTime: changed.commitTime,
    });
  });

  test('lets one of many writes at once pass that require it, in any spelling', async () => {
    const name = freshName();
    const { commitTime } = await commit(update(name, { n: 0 }));
    const updateTime = `${padded(commitTime)}+00:00`;

    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        send(':commit', { writes: [update(name, { n: n + 1 }, only({ updateTime }))] }),
      ),
    );

    const statuses = outcomes.map(([status]) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 400)]);
  });
});

const equal = (fieldPath: string, value: unknown, op: string | number = 'EQUAL') => ({
  fieldFilter: { field: { fieldPath }, op, value: toValue(value) },
});
const and = (...filters: readonly object[]) => ({
  where: { compositeFilter: { op: 'AND', filters } },
});
const by = (...paths: readonly string[]) => ({
  orderBy: paths.map((each) => ({
    field: { fieldPath: each.replace('-', '') },
    ...(each.startsWith('-') && { direction: 'DESCENDING' }),
  })),
});
const after = (...values: readonly unknown[]) => ({
  startAt: { values: values.map(toValue), before: false },
});

async function found(structuredQuery: object, parent = ''): Promise<Document[]> {
  type Found = readonly { readonly document?: Document; readonly readTime: string }[];
  const elements = await call<Found>(`${parent}:runQuery`, { structuredQuery });
  for (const { readTime } of elements) expect(readTime).toMatch(/Z$/);
  return elements.flatMap(({ document }) => document ?? []);
}

const idsOf = (documents: readonly Document[]) =>
  documents.map(({ name }) => name.slice(name.lastIndexOf('/') + 1));

describe('a query', () => {
  const collection = fresh();
  const group = fresh();
  const from = [{ collectionId: collection }];
  const below = [{ collectionId: group }];
  const all = [{ collectionId: group, allDescendants: true }];
  const counting = (structuredQuery: object, aggregation: object = { count: {} }) => ({
    structuredAggregationQuery: {
      structuredQuery,
      aggregations: [{ alias: 'total', ...aggregation }],
    },
  });

  /** The last letter of each path names the document. */
  const documents: Readonly<Record<string, Data>> = {
    a: { n: 1, tags: [1, 'x'], info: { id: 'a' } },
    b: { n: 1, tags: [], even: true },
    c: { n: 0, 'a.b': 'quoted' },
    d: { n: dbl(1), even: true, tags: 'x' },
    e: { n: null, tags: [dbl('NaN'), null] },
    f: { even: true, n: dbl('NaN') },
    g: { info: 'no map' },
    [`a/${group}/p`]: { n: 'p' },
    [`a/${group}/q`]: { n: 'q' },
    [`a/${group}/p/deeper/x/${group}/r`]: { n: 'r' },
    [`b/${group}/s`]: { n: 's' },
    [`ü é/${group}/t`]: { n: 't' },
  };
  const names = Object.keys(documents).map((path) => `${ROOT}/${collection}/${path}`);
  const named = (path: string) => ref(`${collection}/${path}`);

  beforeAll(async () => {
    await commit(...Object.values(documents).map((data, n) => update(names[n] ?? '', data)));
  });

  test.each<[string, object, string, string?]>([
    ['all documents by id', {}, 'abcdefg'],
    ['what has an equal number of the other kind', { where: equal('n', dbl(1)) }, 'abd'],
    ['what has an equal value in a map', { where: equal('info.id', 'a') }, 'a'],
    ['what has an equal value by a quoted name', { where: equal('`a.b`', 'quoted') }, 'c'],
    ['what fits an operator by its number', { where: equal('even', true, 5) }, 'bdf'],
    ['nothing that is equal to null', { where: equal('n', null) }, ''],
    ['nothing that is equal to NaN', { where: equal('n', dbl('NaN')) }, ''],
    ['what all filters fit', and(equal('even', true), and(equal('n', 1)).where), 'bd'],
    ['everything without a filter', {}, 'abcdefg'],
    ['what has the field of the order, then by id', by('n'), 'efcabd'],
    ['by fields in different directions', by('n', '-__name__'), 'efcdba'],
    ['by a field in a map', by('info.id'), 'a'],
    ['by descending name', { where: equal('even', true), ...by('-__name__') }, 'fdb'],
    ['nothing with a limit of 0', { limit: 0 }, ''],
    ['with a limit as digits', { limit: '3', ...by('-n') }, 'dba'],
    ['after a document', { ...by('__name__'), ...after(named('e')) }, 'fg'],
    ['after a missing document', { ...by('__name__'), ...after(named('aa')), limit: 1 }, 'b'],
    ['after value and id', { ...by('n', '__name__'), ...after(1, named('a')) }, 'bd'],
    ['the same downwards', { ...by('-n', '-__name__'), ...after(1, named('b')) }, 'acfe'],
    ['nothing after a place without values', { ...by('n'), ...after() }, ''],
    ['that below a name to escape', { from: below }, 't', `/${collection}/${encodeURI('ü é')}`],
    ['nothing below the root', { from: below }, ''],
    ['all collections of an id', { from: all }, 'prqst'],
    ['those by a field', { from: all, ...by('-n'), limit: 2 }, 'ts'],
  ])('finds and counts %s', async (_what, others, expected, parent = '') => {
    const query = { from, ...others };

    expect(idsOf(await found(query, parent)).join('')).toBe(expected);
    expect(await call(`${parent}:runAggregationQuery`, counting(query))).toMatchObject([
      { result: { aggregateFields: { total: toValue(expected.length) } } },
    ]);
  });

  test('covers all documents', async () => {
    const everything = (await found({ from: [{ allDescendants: true }] })).map(({ name }) => name);

    expect(everything).toEqual(expect.arrayContaining(names));
  });

  const field = { fieldPath: 'n' };

  test.each<[string, ...object[]]>([
    ['an invalid limit', { limit: -1 }, { limit: 1.5 }, { limit: { value: 1 } }],
    ['two collections', { from: [...from, ...below] }],
    ['an invalid collection', ...['a/b', '__a__'].map((id) => ({ from: [{ collectionId: id }] }))],
    ['an invalid order', by('n', 'n'), by('__name__', 'n'), by('a..b')],
    ['all collections in another order', { from: [{ allDescendants: true }], ...by('n') }],
    ['a filter of nothing', { where: {} }],
    ['a filter without an operator', { where: { fieldFilter: { field, value: int(1) } } }],
    ['filters without an operator', { where: { compositeFilter: { filters: [equal('n', 1)] } } }],
    ['a filter on a reserved field', { where: equal('__a__', 1) }],
    ['an empty list to be in', { where: equal('n', [], 'IN') }],
    [
      'more than 30 values to be in',
      {
        where: equal(
          'n',
          Array.from({ length: 31 }, () => 1),
          'IN',
        ),
      },
    ],
    ['no list to be in', { where: equal('n', 1, 'NOT_IN') }],
    ['a name that is no reference', { where: equal('__name__', 'a') }],
    ['an invalid value', { where: equal('n', int('x')) }],
    ['too many values to start at', { ...by('n'), ...after(1, 2) }],
    ['a start at a name that is no reference', { ...by('n', '__name__'), ...after(1, 'a') }],
  ])('is refused with %s', async (_what, ...queries) => {
    for (const others of queries) {
      await expectRefused(':runQuery', { structuredQuery: { from, ...others } });
      await expectRefused(':runAggregationQuery', counting({ from, ...others }));
    }
  });

  test('by descending names only is refused, one below a collection, and a count of nothing', async () => {
    const structuredQuery = { from, ...by('-__name__') };
    await expectRefused(':runQuery', { structuredQuery }, FAILED);
    await expectRefused(`/${collection}:runQuery`, { structuredQuery: { from } });
    await expectRefused(':runAggregationQuery', counting({ from }, {}));
  });
});

test.each<[status: number, path: string, json?: object]>([
  [403, `/v1/${ROOT}/c/d`],
  [403, `/v1/${ROOT}:commit`, { writes: [update(`${ROOT}/c/d`)] }],
  [403, `/v1/${ROOT}:runQuery`, { structuredQuery: { from: [{ collectionId: 'c' }] } }],
  [403, `/v1/${ROOT}:batchGet`, { documents: [`${ROOT}/c/d`] }],
  [404, '/nothing'],
  [404, '/v1/projects'],
  [404, '/v1/projects/p/databases/d:commit'],
])('without administrator rights the status is %d at %s', async (status, path, ...[json]) => {
  const sent = json && { method: 'POST', body: JSON.stringify(json) };

  expect((await fetch(`http://${firestoreHost}${path}`, sent)).status).toBe(status);
});

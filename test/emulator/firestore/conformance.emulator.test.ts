/**
 * The behaviour of Firestore's REST API that the embedded Firestore shares with Google's emulator: this suite runs on
 * both, on the first in `npm test`, on the second in `npm run test:official`.
 */
import { randomUUID } from 'node:crypto';
import { testStack } from '../../support/stack.ts';
import { Store } from './store.ts';

const { projectId, firestoreHost } = testStack();
const store = new Store(firestoreHost, projectId);
const ROOT = `projects/${projectId}/databases/(default)/documents`;

type Json = Readonly<Record<string, unknown>>;

interface Document {
  readonly name: string;
  readonly fields?: Json;
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

async function expectRefused(
  path: string,
  body?: object | string,
  [status, code]: readonly [number, string] = [400, 'INVALID_ARGUMENT'],
): Promise<void> {
  const message: unknown = expect.any(String);
  expect(await send(path, body)).toEqual([
    status,
    { error: { code: status, status: code, message } },
  ]);
}

interface Committed {
  readonly commitTime: string;
  readonly writeResults: readonly { readonly updateTime?: string }[];
}

async function commit(...writes: readonly object[]): Promise<Committed> {
  return call<Committed>(':commit', { writes });
}

type Read = readonly { readonly found?: Document; readonly missing?: string }[];

async function batchGet(documents: readonly string[], mask?: readonly string[]): Promise<Read> {
  return call<Read>(':batchGet', { documents, ...(mask && { mask: { fieldPaths: mask } }) });
}

async function stored(name: string, mask?: readonly string[]): Promise<Document | undefined> {
  return (await batchGet([name], mask))[0]?.found;
}

const fresh = () => `c-${randomUUID()}`;
const freshName = () => `${ROOT}/${fresh()}/one`;
const update = (name: string, fields: Json = {}, others: object = {}) => ({
  update: { name, fields },
  ...others,
});
const mask = (...fieldPaths: readonly string[]) => ({ updateMask: { fieldPaths } });
const only = (currentDocument: object) => ({ currentDocument });

const int = (value: number | string) => ({ integerValue: String(value) });
const dbl = (doubleValue: number | string) => ({ doubleValue });
const str = (stringValue: string) => ({ stringValue });
const YES = { booleanValue: true };
const NULL = { nullValue: null };
const time = (timestampValue: string) => ({ timestampValue });
const ref = (path: string) => ({ referenceValue: `${ROOT}/${path}` });
const place = (latitude: number, longitude: number) => ({
  geoPointValue: { latitude, longitude },
});
const list = (...values: readonly object[]) => ({ arrayValue: { values } });
const map = (fields: Json) => ({ mapValue: { fields } });

/** A value that is nested this deep, in maps and lists by turns. */
function nested(levels: number): object {
  if (levels === 0) return int(1);
  return levels % 2 === 0 ? list(nested(levels - 1)) : map({ a: nested(levels - 1) });
}

describe('a value', () => {
  test.each<[string, object, object?]>([
    ['null', NULL],
    ['null by its name', { nullValue: 'NULL_VALUE' }, NULL],
    ['a boolean', { booleanValue: false }],
    ['an integer', int(-5)],
    ['the largest integer', int('9223372036854775807')],
    ['an integer that a double cannot represent', int('9007199254740993')],
    ['an integer sent as a number', { integerValue: 7 }, int(7)],
    ['a double', dbl(-0.5)],
    ['a double with an integral value', dbl(150)],
    ['a double sent as text', dbl('1.5'), dbl(1.5)],
    ['a large double', dbl(1e300)],
    ['NaN', dbl('NaN')],
    ['infinity', dbl('-Infinity')],
    ['a time', time('2020-01-01T00:00:00Z')],
    ['a time before 1970', time('1969-12-31T23:59:59.500Z')],
    ['the first time', time('0001-01-01T00:00:00Z')],
    ['microseconds', time('2020-01-01T00:00:00.123456Z')],
    ['tenths', time('2020-01-01T00:00:00.1Z'), time('2020-01-01T00:00:00.100Z')],
    ['nanoseconds', time('2020-01-01T00:00:00.123456789Z'), time('2020-01-01T00:00:00.123456Z')],
    ['a UTC offset', time('2020-01-01T01:00:00+01:00'), time('2020-01-01T00:00:00Z')],
    ['text', str('ü\n\u0000"')],
    ['empty text', str('')],
    ['bytes', { bytesValue: 'AP8=' }],
    ['bytes for URLs, without padding', { bytesValue: '_-8' }, { bytesValue: '/+8=' }],
    ['a reference', ref('a/b')],
    ['a geo point', place(1.5, -2.5)],
    ['a geo point at 0', place(0, 1), { geoPointValue: { longitude: 1 } }],
    ['a list', list(dbl(1.5), map({ a: NULL }))],
    ['an empty list', list(), { arrayValue: {} }],
    ['an empty list inside', map({ a: list() }), map({ a: { arrayValue: {} } })],
    ['a map', map({ 'a.b': int(1), '`': NULL, __a: int(1) })],
    ['an empty map', map({}), { mapValue: {} }],
    ['20 levels', nested(20)],
  ])('is stored in one form: %s', async (_what, sent, expected = sent) => {
    const name = freshName();

    await commit(update(name, { sent }));

    expect((await stored(name))?.fields).toEqual({ sent: expected });
  });

  test.each<[string, object]>([
    ['an integer with a fraction', { integerValue: 1.5 }],
    ['an integer as other text', { integerValue: 'x' }],
    ['an integer of 65 bits', int('9223372036854775808')],
    ['a double as other text', dbl('x')],
    ['another null', { nullValue: 'x' }],
    ['a time that is none', time('yesterday')],
    ['a time before the year 1', time('0000-12-31T00:00:00Z')],
    ['bytes that are not base64', { bytesValue: '*' }],
    ['a value of two types', { ...int(1), ...dbl(1) }],
    ['a value without a type', {}],
    ['a list in a list', list(list())],
    ['a geo point beyond the pole', place(90.5, 0)],
    ['a reference to nothing', { referenceValue: 'x' }],
    ['a reference to a collection', ref('a')],
    ['a reserved field', map({ __a__: int(1) })],
    ['an empty field name', map({ '': int(1) })],
    ['a field name of 1501 bytes', map({ ['é'.repeat(750) + 'x']: int(1) })],
    ['text of 1 MiB', str('x'.repeat(1_048_488))],
    ['21 levels', nested(21)],
  ])('is refused: %s', async (_what, value) => {
    const writes = [update(freshName(), { value })];

    await expectRefused(':commit', { writes });
  });
});

describe('a document', () => {
  test.each(['a\nb\u0001', '. ', '...', '.a', '__a__b', '__a', 'é'.repeat(750), '😀', 'a b'])(
    'can have the id %j',
    async (id) => {
      const name = `${ROOT}/${fresh()}/${id}`;
      expect(await batchGet([name])).toMatchObject([{ missing: name }]);

      await commit(update(name));

      expect(await stored(name)).toMatchObject({ name });
    },
  );

  test.each([
    ['a reserved id', `${ROOT}/c/__d__`],
    ['a reserved collection', `${ROOT}/__c__/d`],
    ['the id “.”', `${ROOT}/c/.`],
    ['the id “..”', `${ROOT}/c/..`],
    ['an empty id', `${ROOT}/c/`],
    ['an empty id on the way', `${ROOT}/c//d`],
    ['the name of a collection', `${ROOT}/c`],
    ['the name of the root', ROOT],
    ['another name', 'x'],
  ])('cannot have %s', async (_what, name) => {
    await expectRefused(':commit', { writes: [update(name)] });
    await expectRefused(':commit', { writes: [{ delete: name }] });
    await expectRefused(':batchGet', { documents: [name] });
  });

  test('has at most 1 MiB, with its name and all names of fields', async () => {
    const name = `${ROOT}/sizes/one`;
    const fields = (bytes: number) => ({
      long: str('ü'.repeat(bytes / 2)),
      map: map({ null: NULL, yes: YES, n: int(1), d: dbl(0.5) }),
      list: list(time('2020-01-01T00:00:00Z'), { geoPointValue: {} }, { bytesValue: 'AAAA' }),
      to: ref('a/b'),
    });
    // 16 and 6 + 4 for the name, and 32; then the field names, and the values.
    const rest =
      16 + 10 + 32 + (5 + 4 + 5 + 3 + 1) + (5 + 1 + 4 + 1 + 2 + 8 + 2 + 8) + 27 + (16 + 4);

    await commit(update(name, fields(1_048_576 - rest)));

    const writes = [update(name, fields(1_048_576 - rest + 2))];
    await expectRefused(':commit', { writes });
  });

  test('is read by its name, or with the others of its collection, page by page', async () => {
    const collection = fresh();
    const names = ['a', 'b', 'c'].map((id) => `${ROOT}/${collection}/${id}`);
    await commit(
      ...names.map((name) => update(name, { n: int(1) })),
      update(`${names[0] ?? ''}/sub/x`),
    );

    const one = await call(`/${collection}/a`);
    const all = await call<{ documents: Document[] }>(`/${collection}`);
    const page = await call<{ documents: Document[]; nextPageToken: string }>(
      `/${collection}?pageSize=2`,
    );
    const token = encodeURIComponent(page.nextPageToken);
    const rest = await call<{ documents: Document[] }>(
      `/${collection}?pageSize=2&pageToken=${token}`,
    );

    expect(one).toEqual(await stored(names[0] ?? ''));
    expect(all.documents.map(({ name }) => name)).toEqual(names);
    expect([...page.documents, ...rest.documents]).toEqual(all.documents);
    expect(rest).not.toHaveProperty('nextPageToken');
    expect(await call(`/${fresh()}`)).toEqual({});
    await expectRefused(`/${collection}/none`, undefined, [404, 'NOT_FOUND']);
  });

  test.each<[readonly string[], Json | undefined]>([
    [['a.b', '`x.y`'], { a: map({ b: int(1) }), 'x.y': str('') }],
    [['a.b', 'a'], { a: map({ b: int(1), c: int(2) }) }],
    [['none', 'a.none', 'x', 'a.b.c', '__name__'], undefined],
    [[], undefined],
  ])('is read with the fields of the mask %j', async (paths, fields) => {
    const name = freshName();
    const missing = `${name}-none`;
    await commit(update(name, { a: map({ b: int(1), c: int(2) }), 'x.y': str('') }));
    const { createTime, updateTime } = (await stored(name)) ?? {};

    const found = { name, ...(fields && { fields }), createTime, updateTime };
    const readTime: unknown = expect.stringMatching(/^\d{4}-.*Z$/);
    const read = await batchGet([missing, name, name], paths);
    expect(read).toHaveLength(2);
    expect(read).toContainEqual({ found, readTime });
    expect(read).toContainEqual({ missing, readTime });
  });
});

describe('a commit', () => {
  const before = { a: int(1), m: map({ x: int(1), y: int(2) }) };
  const QUOTED = { 'a.b': NULL, '`\\': YES };

  test.each<[string, Json, readonly string[] | undefined, Json]>([
    ['replaces all fields without a mask', { b: int(1) }, undefined, { b: int(1) }],
    ['changes nothing with an empty mask', { a: int(2) }, [], before],
    ['replaces what is in the mask', { b: int(3), c: int(4) }, ['b'], { ...before, b: int(3) }],
    ['removes what has no value', { m: map({ x: YES }) }, ['a', 'm'], { m: map({ x: YES }) }],
    ['leaves an empty map', {}, ['m.x', 'm.y'], { a: int(1), m: { mapValue: {} } }],
    ['makes a map of a value', { a: map({ q: YES }) }, ['a.q'], { ...before, a: map({ q: YES }) }],
    ['removes nothing below another value', {}, ['a.q', 'm.x.q', 'none.q'], before],
    ['reads quoted names', QUOTED, ['`a.b`', '`\\`\\\\`', 'a', 'm'], QUOTED],
  ])('%s', async (_what, fields, paths, expected) => {
    const name = freshName();
    await commit(update(name, before));

    await commit(update(name, fields, { ...(paths && mask(...paths)), ...only({ exists: true }) }));

    expect((await stored(name))?.fields).toEqual(expected);
  });

  test('creates documents, also empty ones, and deletes them, also missing ones', async () => {
    const name = freshName();

    await commit(update(name, { a: int(1) }, { ...mask('b'), ...only({ exists: false }) }));
    expect(await stored(name)).toMatchObject({ name });
    expect((await commit({ delete: name })).writeResults).toEqual([{}]);
    expect(await stored(name)).toBeUndefined();
    await commit({ delete: name });
  });

  const EXISTS = { exists: true };
  const OLD = { updateTime: '2020-01-01T00:00:00.000001Z' };
  const FAILED = [400, 'FAILED_PRECONDITION'] as const;

  test.each<[string, (name: string) => object, readonly [number, string]]>([
    ['no document to update', (name) => update(`${name}0`, {}, only(EXISTS)), [404, 'NOT_FOUND']],
    ['none to delete', (name) => ({ delete: `${name}0`, ...only(EXISTS) }), [404, 'NOT_FOUND']],
    ['one in place', (name) => update(name, {}, only({ exists: false })), [409, 'ALREADY_EXISTS']],
    ['another version', (name) => update(name, {}, only(OLD)), FAILED],
    ['no version', (name) => ({ delete: `${name}0`, ...only(OLD) }), FAILED],
    ['an invalid value', (name) => update(name, { a: {} }), [400, 'INVALID_ARGUMENT']],
  ])('writes nothing at all because of %s', async (_what, write, refusal) => {
    const [name, other] = [freshName(), freshName()];
    await commit(update(name, { a: int(1) }));

    const writes = [update(other), write(name)];
    await expectRefused(':commit', { writes }, refusal);

    expect(await stored(other)).toBeUndefined();
    expect((await stored(name))?.fields).toEqual({ a: int(1) });
  });

  test('may have more than 500 writes', async () => {
    const collection = fresh();
    const writes = Array.from({ length: 501 }, (_, n) => update(`${ROOT}/${collection}/${n}`));

    expect((await commit(...writes)).writeResults).toHaveLength(501);
  });

  const one = `${ROOT}/c/d`;

  test.each<[string, object]>([
    ['is empty', {}],
    ['both updates and deletes', { ...update(one), delete: one }],
    ['has a mask and deletes', { delete: one, ...mask('a') }],
    ['has two preconditions', { delete: one, ...only({ ...EXISTS, ...OLD }) }],
    ['has an id of 1501 bytes', update(`${one}${'x'.repeat(1500)}`)],
    ...['a-b', '', 'a.', '.a', '`a', '__a__', 'a.__b__', '0'].map(
      (path) => [`has the mask “${path}”`, update(one, {}, mask(path))] as [string, object],
    ),
  ])('is refused if a write %s', async (_what, write) => {
    const writes = [write];

    await expectRefused(':commit', { writes });
  });

  test.each(['{', '[]', '{"writes": {}}'])('is refused if it is %s', async (body) => {
    await expectRefused(':commit', body);
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
        const { writeResults, commitTime } = await commit(update(name, { n: int(n) }));
        expect(writeResults).toEqual([{ updateTime: commitTime }]);
        return padded(commitTime);
      }),
    );

    const { updateTime, createTime } = (await stored(name)) ?? {};
    expect(new Set(times).size).toBe(50);
    expect([padded(createTime), padded(updateTime)]).toEqual([times.sort()[0], times.at(-1)]);
  });

  test('stays if a write changes nothing', async () => {
    const name = freshName();
    const fields = {
      n: int(1),
      d: dbl('NaN'),
      m: map({ x: int(1), y: { bytesValue: 'AP8=' } }),
    };
    const { updateTime } = (await commit(update(name, fields))).writeResults[0] ?? {};

    const same = { m: fields.m, n: { integerValue: 1 }, d: fields.d };
    for (const write of [update(name, same), update(name, same, mask('n', 'none', 'm.none'))]) {
      expect((await commit(write)).writeResults).toEqual([{ updateTime }]);
    }
    expect((await stored(name))?.updateTime).toBe(updateTime);
  });

  test('changes if an integer becomes a double', async () => {
    const name = freshName();
    const { commitTime } = await commit(update(name, { n: int(1) }));

    await commit(update(name, { n: dbl(1) }));

    expect(await stored(name)).toMatchObject({ createTime: commitTime, fields: { n: dbl(1) } });
    expect((await stored(name))?.updateTime).not.toBe(commitTime);
  });

  test('lets one of many writes at once pass that require it, in any spelling', async () => {
    const name = freshName();
    const { commitTime } = await commit(update(name, { n: int(0) }));
    const updateTime = padded(commitTime).replace(/$/, '+00:00');

    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        send(':commit', { writes: [update(name, { n: int(n + 1) }, only({ updateTime }))] }),
      ),
    );

    expect(outcomes.map(([status]) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 400),
    ]);
  });
});

describe('a query', () => {
  const collection = fresh();
  const group = fresh();
  const path = (id: string) => `${collection}/${id}`;

  /** In the order of their ids. */
  const documents: Readonly<Record<string, Json>> = {
    a: { n: int(1), tags: list(int(1), str('x')), info: map({ id: str('a') }) },
    b: { n: int(1), tags: list(), even: YES },
    c: { n: int(0), 'a.b': str('quoted') },
    d: { n: dbl(1), even: YES, tags: str('x') },
    e: { n: NULL, tags: list(dbl('NaN'), NULL) },
    f: { even: YES, n: dbl('NaN') },
    g: { info: str('no map') },
  };
  const ALL = Object.keys(documents);

  beforeAll(async () => {
    await commit(
      ...ALL.map((id) => update(`${ROOT}/${path(id)}`, documents[id])),
      ...['a', 'b'].flatMap((id) =>
        ['x', 'y'].map((sub) =>
          update(`${ROOT}/${path(id)}/${group}/${sub}`, { n: str(id + sub) }),
        ),
      ),
      update(`${ROOT}/${path('a')}/${group}/x/deeper/q/${group}/z`, { n: str('az') }),
      update(`${ROOT}/${path('ü é')}/${group}/x`, { n: str('') }),
    );
  });

  const equal = (fieldPath: string, value: object, op: string | number = 'EQUAL') => ({
    fieldFilter: { field: { fieldPath }, op, value },
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
  const after = (...values: readonly object[]) => ({ startAt: { values, before: false } });

  async function found(query: object, parent = ''): Promise<Document[]> {
    const structuredQuery = { from: [{ collectionId: collection }], ...query };
    const elements = await call<{ document?: Document; readTime: string }[]>(`${parent}:runQuery`, {
      structuredQuery,
    });
    for (const { readTime } of elements) expect(readTime).toMatch(/Z$/);
    return elements.flatMap(({ document }) => document ?? []);
  }

  const idsOf = (all: readonly Document[]) =>
    all.map(({ name }) => name.slice(name.lastIndexOf('/') + 1));

  test.each<[string, object, string]>([
    ['all documents by id', {}, 'abcdefg'],
    ['what has an equal value', { where: equal('even', YES) }, 'bdf'],
    ['what has an equal number of the other kind', { where: equal('n', dbl(1)) }, 'abd'],
    ['what has an equal value in a map', { where: equal('info.id', str('a')) }, 'a'],
    ['what has an equal value by a quoted name', { where: equal('`a.b`', str('quoted')) }, 'c'],
    ['what has a name', { where: equal('__name__', ref(path('c'))) }, 'c'],
    ['what has an equal list', { where: equal('tags', list()) }, 'b'],
    ['what fits an operator by its number', { where: equal('even', YES, 5) }, 'bdf'],
    ['nothing that is equal to null', { where: equal('n', NULL) }, ''],
    ['nothing that is equal to NaN', { where: equal('n', dbl('NaN')) }, ''],
    ['what all filters fit', and(equal('even', YES), and(equal('n', int(1))).where), 'bd'],
    ['everything without a filter', and(), 'abcdefg'],
    ['what has the field of the order, then by id', by('n'), 'efcabd'],
    ['the same downwards, also by id', by('-n'), 'dbacfe'],
    ['by fields in different directions', by('n', '-__name__'), 'efcdba'],
    ['by a field in a map', by('info.id'), 'a'],
    ['by descending name', { where: equal('even', YES), ...by('-__name__') }, 'fdb'],
    ['no more than the limit', { limit: 2 }, 'ab'],
    ['nothing with a limit of 0', { limit: 0 }, ''],
    ['with a limit as digits', { limit: '3', ...by('-n') }, 'dba'],
    ['after a document', { ...by('__name__'), ...after(ref(path('e'))) }, 'fg'],
    ['after a missing document', { ...by('__name__'), ...after(ref(path('aa'))), limit: 1 }, 'b'],
    ['after value and id', { ...by('n', '__name__'), ...after(int(1), ref(path('a'))) }, 'bd'],
    ['the same downwards', { ...by('-n', '-__name__'), ...after(int(1), ref(path('b'))) }, 'acfe'],
    ['after a value', { ...by('n'), ...after(int(0)) }, 'abd'],
    ['nothing after a place without values', { ...by('n'), ...after() }, ''],
    ['with filter, order and limit', { ...and(equal('even', YES)), ...by('-n'), limit: 2 }, 'db'],
  ])('finds and counts %s', async (_what, query, expected) => {
    expect(idsOf(await found(query)).join('')).toBe(expected);
    const total = int(expected.length);
    const [, json] = await count({ from: [{ collectionId: collection }], ...query });
    expect(json).toMatchObject([{ result: { aggregateFields: { total } } }]);
  });

  async function count(structuredQuery: object): Promise<[status: number, json: unknown]> {
    const aggregations = [{ alias: 'total', count: {} }];
    const structuredAggregationQuery = { structuredQuery, aggregations };
    return send(':runAggregationQuery', { structuredAggregationQuery });
  }

  test('orders values of all kinds like Google', async () => {
    const kinds = fresh();
    const ordered = [
      ...[NULL, { booleanValue: false }, YES],
      ...[dbl('NaN'), dbl('-Infinity'), int('-9223372036854775808'), dbl(-0.5), int(0), dbl(0.5)],
      ...[dbl(9_007_199_254_740_992), int('9007199254740993'), dbl('Infinity')],
      ...['1969-12-31T23:59:59.999999Z', '2020-01-01T00:00:00Z'].map(time),
      ...['2020-01-01T00:00:00.000001Z', '2020-01-01T00:00:00.1Z', '2020-01-01T00:00:01Z'].map(
        time,
      ),
      ...['', 'A', 'a', 'a\u0000', 'ab', 'é', '\uFFFD', '😀'].map(str),
      ...['', 'AA==', 'AAA=', '/w=='].map((bytesValue) => ({ bytesValue })),
      ...['a/b', 'a/b/c/d', 'a/b!', 'a!/b'].map(ref),
      ...[place(-1, 9), place(0, 0), place(0, 1)],
      ...[list(), list(int(1)), list(int(1), int(0)), list(int(2)), list(str(''))],
      ...[map({}), map({ a: int(2) }), map({ a: int(2), b: int(0) }), map({ a: str('') })],
      map({ b: int(0) }),
    ];
    // Stored in another order than that of their ids.
    const ids = ordered.map((_value, index) => String((index * 37) % 100).padStart(3, '0'));
    await commit(
      ...ordered.map((value, index) => update(`${ROOT}/${kinds}/${ids[index] ?? ''}`, { value })),
    );

    const from = [{ collectionId: kinds }];
    expect(idsOf(await found({ from, ...by('value') }))).toEqual(ids);
    for (const [index, value] of ordered.entries()) {
      const rest = await found({ from, ...by('value'), ...after(value) });
      expect(idsOf(rest)).toEqual(ids.slice(index + 1));
    }
  });

  test('orders ids by their bytes', async () => {
    const ids = fresh();
    const ordered = ['10', '9', 'B', 'a', 'a!', 'a0', 'b', 'é', '\uFFFD', '😀'];
    await commit(...ordered.toReversed().map((id) => update(`${ROOT}/${ids}/${id}`)));

    expect(idsOf(await found({ from: [{ collectionId: ids }] }))).toEqual(ordered);
  });

  test.each<[readonly string[], Json | undefined]>([
    [['info.id'], { info: map({ id: str('a') }) }],
    [['n', 'none', 'info.none'], { n: int(1) }],
    [['__name__'], undefined],
    [[], undefined],
  ])('returns the selected fields %j', async (paths, fields) => {
    const select = { fields: paths.map((fieldPath) => ({ fieldPath })) };

    const [first] = await found({ select, limit: 1 });

    const { createTime, updateTime } = (await stored(`${ROOT}/${path('a')}`)) ?? {};
    expect(first).toEqual({
      name: `${ROOT}/${path('a')}`,
      ...(fields && { fields }),
      createTime,
      updateTime,
    });
  });

  test('covers the collection below a document, or all collections of an id', async () => {
    const shown = (all: readonly Document[]) =>
      all.map(({ fields }) => (fields?.n as { stringValue: string }).stringValue);
    const from = [{ collectionId: group }];
    const all = [{ collectionId: group, allDescendants: true }];
    const last = ref(`${path('a')}/${group}/x`);

    expect(shown(await found({ from }, `/${path('a')}`))).toEqual(['ax', 'ay']);
    expect(shown(await found({ from }, `/${collection}/${encodeURIComponent('ü é')}`))).toEqual([
      '',
    ]);
    expect(await found({ from })).toEqual([]);
    expect(shown(await found({ from: all }))).toEqual(['ax', 'az', 'ay', 'bx', 'by', '']);
    expect(shown(await found({ from: all, ...by('-n'), limit: 2 }))).toEqual(['by', 'bx']);
    expect(shown(await found({ from: all, ...by('__name__'), ...after(last), limit: 2 }))).toEqual([
      'az',
      'ay',
    ]);
    expect(shown(await found({ from: all, where: equal('n', str('by')) }))).toEqual(['by']);
  });

  test('covers all documents', async () => {
    const names = (await found({ from: [{ allDescendants: true }] })).map(({ name }) => name);

    expect(names).toEqual(expect.arrayContaining(ALL.map((id) => `${ROOT}/${path(id)}`)));
    expect(names).toContain(`${ROOT}/${path('a')}/${group}/x/deeper/q/${group}/z`);
  });

  test.each<[string, object]>([
    ['a negative limit', { limit: -1 }],
    ['a limit with a fraction', { limit: 1.5 }],
    ['a limit as an object', { limit: { value: 1 } }],
    ['two collections', { from: [{ collectionId: 'a' }, { collectionId: 'b' }] }],
    ['a collection with a slash', { from: [{ collectionId: 'a/b' }] }],
    ['a reserved collection', { from: [{ collectionId: '__a__' }] }],
    ['an order by one field twice', by('n', 'n')],
    ['an order after the name', by('__name__', 'n')],
    ['an order by an invalid path', by('a..b')],
    [
      'a filter without an operator',
      { where: { fieldFilter: { field: { fieldPath: 'n' }, value: int(1) } } },
    ],
    [
      'filters without an operator',
      { where: { compositeFilter: { filters: [equal('n', int(1))] } } },
    ],
    ['a filter of nothing', { where: {} }],
    ['a filter on a reserved field', { where: equal('__a__', int(1)) }],
    ['a name that is no reference', { where: equal('__name__', str('a')) }],
    ['an invalid value', { where: equal('n', {}) }],
    ['too many values to start at', { ...by('n'), ...after(int(1), int(2)) }],
    [
      'a name to start at that is no reference',
      { ...by('n', '__name__'), ...after(int(1), str('a')) },
    ],
    ['all collections in another order', { from: [{ allDescendants: true }], ...by('n') }],
  ])('is refused with %s', async (_what, query) => {
    const structuredQuery = { from: [{ collectionId: collection }], ...query };

    await expectRefused(':runQuery', { structuredQuery });
    expect((await count(structuredQuery))[0]).toBe(400);
  });

  test('by descending names only is refused', async () => {
    const structuredQuery = { from: [{ collectionId: collection }], ...by('-__name__') };

    await expectRefused(':runQuery', { structuredQuery }, [400, 'FAILED_PRECONDITION']);
  });

  test('below a collection is refused, and a count of nothing', async () => {
    const structuredQuery = { from: [{ collectionId: 'a' }] };
    const structuredAggregationQuery = { structuredQuery, aggregations: [{ alias: 'a' }] };

    await expectRefused(`/${collection}:runQuery`, { structuredQuery });
    await expectRefused(':runAggregationQuery', { structuredAggregationQuery });
  });
});

test.each(['GET /c/d', 'POST :commit', 'POST :runQuery', 'POST :batchGet'])(
  '%s is refused without administrator rights',
  async (request) => {
    const [method = '', path = ''] = request.split(' ');
    const body = JSON.stringify(
      {
        ':commit': { writes: [update(`${ROOT}/c/d`)] },
        ':runQuery': { structuredQuery: { from: [{ collectionId: 'c' }] } },
        ':batchGet': { documents: [`${ROOT}/c/d`] },
      }[path],
    );

    const response = await fetch(`http://${firestoreHost}/v1/${ROOT}${path}`, { method, body });

    expect(response.status).toBe(403);
  },
);

test.each(['/nothing', '/v1/projects', '/v1/projects/p/databases/d:commit'])(
  'there is nothing at %s',
  async (path) => {
    const headers = { authorization: 'Bearer owner' };

    expect((await fetch(`http://${firestoreHost}${path}`, { headers })).status).toBe(404);
  },
);

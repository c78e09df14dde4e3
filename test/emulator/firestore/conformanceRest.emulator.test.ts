/**
 * The behaviour of Firestore's REST API, tested without an SDK on the stack's Firestore, like
 * `conformance.emulator.test.ts` over gRPC. Some tests compare it with the Admin SDK: both protocols share one
 * database.
 */
import { randomUUID } from 'node:crypto';
import { deleteApp, initializeApp } from 'firebase-admin/app';
import { initializeFirestore, Timestamp } from 'firebase-admin/firestore';
import { testStack } from '../../support/stack.ts';

const { projectId, firestoreHost } = testStack();
const DATABASE = `projects/${projectId}/databases/(default)`;
const ROOT = `${DATABASE}/documents`;

const app = initializeApp({ projectId }, randomUUID());
const sdk = initializeFirestore(app);
sdk.settings({ useBigInt: true });

afterAll(() => deleteApp(app));

type Fields = Readonly<Record<string, object>>;

interface JsonResponse<Json> {
  readonly status: number;
  readonly json: Json;
}

interface StoredDocument {
  readonly name: string;
  readonly fields?: Fields;
  readonly createTime: string;
  readonly updateTime: string;
}

interface Found {
  readonly found?: StoredDocument;
  readonly missing?: string;
  readonly readTime?: string;
  readonly transaction?: string;
}

interface Committed {
  readonly commitTime: string;
  readonly writeResults: readonly {
    readonly updateTime?: string;
    readonly transformResults?: readonly object[];
  }[];
}

interface Refused {
  readonly error: { readonly code: number; readonly status: string; readonly message: string };
}

/** Calls a method on a document, or on the root of the database. */
async function call<Json>(method: string, body: unknown, parent = ''): Promise<JsonResponse<Json>> {
  const response = await fetch(`http://${firestoreHost}/v1/${ROOT}${parent}:${method}`, {
    method: 'POST',
    headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, json: (await response.json()) as Json };
}

async function commit(...writes: readonly object[]): Promise<Committed> {
  const { status, json } = await call<Committed>('commit', { writes });
  expect([status, json]).toEqual([200, expect.anything()]);
  return json;
}

/** The HTTP status and the code name of a rejected commit. */
async function refusalOf(...writes: readonly object[]): Promise<unknown[]> {
  const { status, json } = await call<Refused>('commit', { writes });
  expect(json.error.code).toBe(status);
  return [status, json.error.status];
}

async function get(names: readonly string[], options: object = {}): Promise<readonly Found[]> {
  return (await call<readonly Found[]>('batchGet', { documents: names, ...options })).json;
}

async function stored(name: string): Promise<StoredDocument> {
  const [response] = await get([name]);
  if (response?.found === undefined) throw new Error(`${name} is missing.`);
  return response.found;
}

function freshCollection(): string {
  return `rest-${randomUUID()}`;
}

function freshName(): string {
  return `${ROOT}/${freshCollection()}/one`;
}

function update(name: string, fields: Fields, others: object = {}): object {
  return { update: { name, fields }, ...others };
}

function integer(value: number | string): { integerValue: string } {
  return { integerValue: String(value) };
}

function text(stringValue: string): { stringValue: string } {
  return { stringValue };
}

/** The path of a document for the SDK. */
function pathOf(name: string): string {
  return name.slice(`${ROOT}/`.length);
}

describe('a value', () => {
  test.each<[string, object, object?]>([
    ['null', { nullValue: null }],
    ['a boolean', { booleanValue: false }],
    ['an integer', { integerValue: '-5' }],
    ['the largest integer', { integerValue: '9223372036854775807' }],
    ['an integer that a double cannot represent', { integerValue: '9007199254740993' }],
    ['an integer sent as a number', { integerValue: 7 }, { integerValue: '7' }],
    ['a double', { doubleValue: -0.5 }],
    ['a double with an integral value', { doubleValue: 150 }],
    ['a large double', { doubleValue: 1e300 }],
    ['NaN', { doubleValue: 'NaN' }],
    ['infinity', { doubleValue: '-Infinity' }],
    ['a time', { timestampValue: '2020-01-01T00:00:00Z' }],
    ['a time before 1970', { timestampValue: '1969-12-31T23:59:59.500Z' }],
    ['a time with microseconds', { timestampValue: '2020-01-01T00:00:00.123456Z' }],
    [
      'a time with nanoseconds, which are truncated',
      { timestampValue: '2020-01-01T00:00:00.123456789Z' },
      { timestampValue: '2020-01-01T00:00:00.123456Z' },
    ],
    [
      'a time with a UTC offset',
      { timestampValue: '2020-01-01T01:00:00+01:00' },
      { timestampValue: '2020-01-01T00:00:00Z' },
    ],
    ['text', { stringValue: 'ü\n\u0000"' }],
    ['an empty string', { stringValue: '' }],
    ['bytes', { bytesValue: 'AP8=' }],
    ['a reference', { referenceValue: `${ROOT}/a/b` }],
    ['a geo point', { geoPointValue: { latitude: 1.5, longitude: -2.5 } }],
    ['a list', { arrayValue: { values: [{ doubleValue: 1 }, { mapValue: {} }] } }],
    ['an empty list', { arrayValue: {} }],
    ['a map', { mapValue: { fields: { 'a.b': { integerValue: '1' }, '`': { nullValue: null } } } }],
    ['an empty map', { mapValue: {} }],
  ])('is read as it was sent: %s', async (_what, sent, given = sent) => {
    const name = freshName();

    await commit(update(name, { sent, nested: { arrayValue: { values: [map({ sent })] } } }));

    expect((await stored(name)).fields).toEqual({
      sent: given,
      nested: { arrayValue: { values: [map({ sent: given })] } },
    });

    function map(fields: Fields): object {
      return { mapValue: { fields } };
    }
  });

  test('is the same for the SDK, in both directions', async () => {
    const [byRest, bySdk] = [freshName(), freshName()];
    const data = {
      large: 9_007_199_254_740_993n,
      half: 0.5,
      time: new Timestamp(1_577_836_800, 123_456_000),
      bytes: Buffer.from([0, 255]),
      list: ['a', { b: null }],
    };
    const fields = {
      large: integer('9007199254740993'),
      half: { doubleValue: 0.5 },
      time: { timestampValue: '2020-01-01T00:00:00.123456Z' },
      bytes: { bytesValue: 'AP8=' },
      list: {
        arrayValue: { values: [text('a'), { mapValue: { fields: { b: { nullValue: null } } } }] },
      },
    };

    await commit(update(byRest, fields));
    await sdk.doc(pathOf(bySdk)).set(data);

    expect((await sdk.doc(pathOf(byRest)).get()).data()).toEqual(data);
    expect((await stored(bySdk)).fields).toEqual(fields);
  });
});

describe('batchGet', () => {
  test('returns found and missing documents, each once', async () => {
    const [there, missing] = [freshName(), freshName()];
    await commit(update(there, { a: integer(1) }));

    const responses = await get([missing, there, there]);

    expect(responses).toHaveLength(2);
    expect(responses).toContainEqual({ missing, readTime: expect.any(String) as string });
    expect(responses).toContainEqual({
      found: {
        name: there,
        fields: { a: integer(1) },
        createTime: expect.any(String) as string,
        updateTime: expect.any(String) as string,
      },
      readTime: expect.any(String) as string,
    });
  });

  test('returns only the fields of the mask', async () => {
    const name = freshName();
    await commit(
      update(name, {
        a: { mapValue: { fields: { b: integer(1), c: integer(2) } } },
        'x.y': text(''),
      }),
    );

    const masked = async (...fieldPaths: readonly string[]) =>
      (await get([name], { mask: { fieldPaths } }))[0]?.found?.fields;

    expect(await masked('a.b', '`x.y`')).toEqual({
      a: { mapValue: { fields: { b: integer(1) } } },
      'x.y': text(''),
    });
    expect(await masked('none')).toBeUndefined();
  });
});

describe('runQuery', () => {
  const LETTERS = ['a', 'b', 'c', 'd', 'e'];
  const collection = freshCollection();

  beforeAll(async () => {
    await commit(
      ...LETTERS.map((id, index) =>
        update(`${ROOT}/${collection}/${id}`, {
          n: integer(Math.floor(index / 2)),
          even: { booleanValue: index % 2 === 0 },
          info: { mapValue: { fields: { id: text(id) } } },
        }),
      ),
    );
  });

  const field = (fieldPath: string) => ({ field: { fieldPath } });
  const byNumberAndId = [
    { ...field('n'), direction: 'ASCENDING' },
    { ...field('__name__'), direction: 'ASCENDING' },
  ];

  async function query(structuredQuery: object): Promise<readonly { document?: StoredDocument }[]> {
    const { status, json } = await call<readonly { document?: StoredDocument }[]>('runQuery', {
      structuredQuery: { from: [{ collectionId: collection }], ...structuredQuery },
    });
    expect([status, json]).toEqual([200, expect.any(Array)]);
    return json;
  }

  async function ids(structuredQuery: object): Promise<(string | undefined)[]> {
    return (await query(structuredQuery)).map(({ document }) => document?.name.split('/').at(-1));
  }

  test.each<[string, object, string[]]>([
    ['all documents by id', {}, LETTERS],
    [
      'a filter on a value',
      { where: { fieldFilter: { ...field('even'), op: 'EQUAL', value: { booleanValue: true } } } },
      ['a', 'c', 'e'],
    ],
    [
      'a filter on a value in a map',
      { where: { fieldFilter: { ...field('info.id'), op: 'EQUAL', value: text('b') } } },
      ['b'],
    ],
    [
      'two combined filters',
      {
        where: {
          compositeFilter: {
            op: 'AND',
            filters: [
              { fieldFilter: { ...field('even'), op: 'EQUAL', value: { booleanValue: true } } },
              { fieldFilter: { ...field('n'), op: 'GREATER_THAN', value: integer(0) } },
            ],
          },
        },
      },
      ['c', 'e'],
    ],
    [
      'an order',
      { orderBy: [{ ...field('n'), direction: 'DESCENDING' }] },
      ['e', 'd', 'c', 'b', 'a'],
    ],
    ['a limit', { limit: 2 }, ['a', 'b']],
    ['an offset', { offset: 3 }, ['d', 'e']],
    [
      'a start after a value',
      { orderBy: [field('n')], startAt: { values: [integer(0)], before: false } },
      ['c', 'd', 'e'],
    ],
    [
      'an end at a value',
      { orderBy: [field('n')], endAt: { values: [integer(1)], before: false } },
      ['a', 'b', 'c', 'd'],
    ],
  ])('supports %s', async (_what, structuredQuery, expected) => {
    expect(await ids(structuredQuery)).toEqual(expected);
  });

  test('can start after a document', async () => {
    const values = [integer(1), { referenceValue: `${ROOT}/${collection}/c` }];

    expect(await ids({ orderBy: byNumberAndId, startAt: { values, before: false } })).toEqual([
      'd',
      'e',
    ]);
  });

  test('returns only the selected fields, or only the name', async () => {
    const limit = 1;

    expect(await query({ limit, select: { fields: [{ fieldPath: 'info.id' }] } })).toMatchObject([
      { document: { fields: { info: { mapValue: { fields: { id: text('a') } } } } } },
    ]);
    const [named] = await query({ limit, select: { fields: [{ fieldPath: '__name__' }] } });
    expect(named?.document).toEqual({
      name: `${ROOT}/${collection}/a`,
      createTime: expect.any(String) as string,
      updateTime: expect.any(String) as string,
    });
  });

  test('returns one element without a document if nothing matches', async () => {
    const [only, ...others] = await query({ from: [{ collectionId: freshCollection() }] });

    expect(only).toMatchObject({ readTime: expect.any(String) as string });
    expect(only?.document).toBeUndefined();
    expect(others).toEqual([]);
  });

  test('can run below a document with an escaped id', async () => {
    const parent = `/${freshCollection()}/ü é`;
    await commit(update(`${ROOT}${parent}/sub/x`, {}));

    const { json } = await call<readonly { document?: StoredDocument }[]>(
      'runQuery',
      { structuredQuery: { from: [{ collectionId: 'sub' }] } },
      parent.split('/').map(encodeURIComponent).join('/'),
    );

    expect(json.map(({ document }) => document?.name)).toEqual([`${ROOT}${parent}/sub/x`]);
  });

  test('can be counted', async () => {
    const count = async (structuredQuery: object) => {
      const { json } = await call<readonly object[]>('runAggregationQuery', {
        structuredAggregationQuery: { structuredQuery, aggregations: [{ alias: 'n', count: {} }] },
      });
      return json;
    };

    expect(await count({ from: [{ collectionId: collection }] })).toMatchObject([
      { result: { aggregateFields: { n: integer(5) } } },
    ]);
    expect(await count({ from: [{ collectionId: freshCollection() }] })).toMatchObject([
      { result: { aggregateFields: { n: integer(0) } } },
    ]);
  });
});

describe('commit', () => {
  test('updates the fields of a mask, and removes those without a value', async () => {
    const name = freshName();
    await commit(
      update(name, { a: integer(1), b: integer(2), m: map({ x: integer(1), y: integer(2) }) }),
    );

    await commit(
      update(
        name,
        { a: integer(3), ignored: integer(4), m: map({ x: integer(5) }) },
        {
          updateMask: { fieldPaths: ['a', 'b', 'm.x'] },
        },
      ),
    );

    expect((await stored(name)).fields).toEqual({
      a: integer(3),
      m: map({ x: integer(5), y: integer(2) }),
    });

    function map(fields: Fields): object {
      return { mapValue: { fields } };
    }
  });

  test('transforms fields, and returns the results', async () => {
    const name = freshName();
    await commit(update(name, { n: integer('9007199254740993'), l: { arrayValue: {} } }));

    const { writeResults } = await commit(
      update(
        name,
        {},
        {
          updateMask: { fieldPaths: [] },
          updateTransforms: [
            { fieldPath: 'at', setToServerValue: 'REQUEST_TIME' },
            { fieldPath: 'n', increment: integer(2) },
            { fieldPath: 'l', appendMissingElements: { values: [integer(1), integer(1)] } },
          ],
        },
      ),
    );

    const { fields } = await stored(name);
    expect(fields).toEqual({
      at: { timestampValue: expect.stringMatching(/^[^.]+(\.\d{3})?Z$/) as string },
      n: integer('9007199254740995'),
      l: { arrayValue: { values: [integer(1)] } },
    });
    expect(writeResults[0]?.transformResults).toEqual([fields?.at, fields?.n, { nullValue: null }]);
  });

  test('deletes existing and missing documents', async () => {
    const name = freshName();
    await commit(update(name, {}));

    await commit({ delete: name });
    await commit({ delete: name });

    expect(await get([name])).toMatchObject([{ missing: name }]);
  });

  test.each<[string, (name: string) => object, number, string]>([
    [
      'an update requires a missing document to exist',
      (name) => update(`${name}-none`, {}, exists(true)),
      404,
      'NOT_FOUND',
    ],
    [
      'a delete requires a missing document to exist',
      (name) => ({ delete: `${name}-none`, ...exists(true) }),
      404,
      'NOT_FOUND',
    ],
    [
      'a create requires an existing document to be missing',
      (name) => update(name, {}, exists(false)),
      409,
      'ALREADY_EXISTS',
    ],
    [
      'another update time is required',
      (name) => update(name, {}, of('2020-01-01T00:00:00.000001Z')),
      400,
      'FAILED_PRECONDITION',
    ],
    [
      'an update time of a missing document is required',
      (name) => ({ delete: `${name}-none`, ...of('2020-01-01T00:00:00Z') }),
      400,
      'FAILED_PRECONDITION',
    ],
  ])('writes nothing if one precondition fails: %s', async (_what, write, ...refusal) => {
    const [name, other] = [freshName(), freshName()];
    await commit(update(name, { a: integer(1) }));

    expect(await refusalOf(update(other, {}), write(name), update(name, {}))).toEqual(refusal);

    expect(await get([other])).toMatchObject([{ missing: other }]);
    expect((await stored(name)).fields).toEqual({ a: integer(1) });
  });

  test('checks existence after its own earlier writes', async () => {
    const name = freshName();

    await commit(update(name, {}, exists(false)), { delete: name, ...exists(true) });

    expect(await get([name])).toMatchObject([{ missing: name }]);
  });

  test('checks update times before all of its writes', async () => {
    const name = freshName();
    const { commitTime } = await commit(update(name, {}));

    await commit(
      update(name, { a: integer(1) }, of(commitTime)),
      update(name, { a: integer(2) }),
      update(name, { a: integer(3) }, of(commitTime)),
    );

    expect((await stored(name)).fields).toEqual({ a: integer(3) });
  });

  test.each<[string, (name: string, updateTime: string) => readonly object[]]>([
    [
      'an update, then one with an update time',
      (name, time) => [update(name, {}), update(name, {}, of(time))],
    ],
    ['an update, then a create', (name) => [update(name, {}), update(name, {}, exists(false))]],
    ['a delete, then an update', (name) => [{ delete: name }, update(name, {}, exists(true))]],
  ])('refuses contradictory writes: %s', async (_what, writes) => {
    const name = freshName();
    const { commitTime } = await commit(update(name, { kept: integer(1) }));

    expect(await refusalOf(...writes(name, commitTime))).toEqual([400, 'INVALID_ARGUMENT']);

    expect((await stored(name)).fields).toEqual({ kept: integer(1) });
  });

  function exists(exists: boolean): object {
    return { currentDocument: { exists } };
  }

  function of(updateTime: string): object {
    return { currentDocument: { updateTime } };
  }
});

describe('an update time', () => {
  const UPDATES = 50;

  test('increases with every write that changes the document, and equals the commit time', async () => {
    const name = freshName();
    const times: string[] = [];
    await Promise.all(
      Array.from({ length: UPDATES }, async (_, n) => {
        const { writeResults, commitTime } = await commit(update(name, { n: integer(n) }));
        expect(writeResults).toEqual([{ updateTime: commitTime }]);
        times.push(commitTime);
      }),
    );

    const { updateTime, createTime } = await stored(name);
    expect(new Set(times).size).toBe(UPDATES);
    const inOrder = times.map(paddedTime).sort();
    expect(paddedTime(createTime)).toBe(inOrder[0]);
    expect(paddedTime(updateTime)).toBe(inOrder.at(-1));
  });

  test('does not change when a write changes nothing', async () => {
    const name = freshName();
    const fields = {
      n: integer(1),
      d: { doubleValue: 'NaN' },
      b: { bytesValue: 'AP8=' },
      m: { mapValue: { fields: { x: integer(1), y: integer(2) } } },
    };
    await commit(update(name, fields));
    const { updateTime } = await stored(name);

    const again = await commit(update(name, fields));
    await commit(update(name, { n: integer(1) }, { updateMask: { fieldPaths: ['n', 'none'] } }));
    await sdk.doc(pathOf(name)).update({ n: 1 });

    expect(again.writeResults).toEqual([{ updateTime }]);
    expect((await stored(name)).updateTime).toBe(updateTime);
  });

  test('changes when the integer 1 becomes the double 1', async () => {
    const name = freshName();
    await commit(update(name, { n: integer(1) }));
    const { updateTime } = await stored(name);

    await commit(update(name, { n: { doubleValue: 1 } }));

    const after = await stored(name);
    expect(after.fields).toEqual({ n: { doubleValue: 1 } });
    expect(after.updateTime).not.toBe(updateTime);
  });

  test('as a precondition lets only one of many concurrent writes succeed, over both protocols', async () => {
    const name = freshName();
    await commit(update(name, { n: integer(0) }));
    const { updateTime } = await stored(name);
    const { updateTime: lastUpdateTime } = await sdk.doc(pathOf(name)).get();
    if (lastUpdateTime === undefined) throw new Error('the document exists');

    const outcomes = await Promise.all(
      Array.from({ length: 10 }, async (_, n) =>
        n % 2 === 0
          ? (
              await call('commit', {
                writes: [update(name, { n: integer(n + 1) }, { currentDocument: { updateTime } })],
              })
            ).status
          : await sdk
              .doc(pathOf(name))
              .update({ n: n + 1 }, { lastUpdateTime })
              .then(() => 200)
              .catch((error: unknown) => (error as { code: unknown }).code),
      ),
    );

    expect(outcomes.filter((outcome) => outcome === 200)).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 400 || outcome === 9)).toHaveLength(9);
  });

  test('is the same over both protocols', async () => {
    const name = freshName();
    const { writeTime } = await sdk.doc(pathOf(name)).set({ a: 1 });

    const { updateTime } = await stored(name);
    await commit(update(name, { a: integer(2) }, { currentDocument: { updateTime } }));

    expect(Timestamp.fromDate(new Date(updateTime)).seconds).toBe(writeTime.seconds);
    expect(paddedTime(updateTime)).toContain(
      String(writeTime.nanoseconds).padStart(9, '0').slice(0, 6),
    );
  });

  /** With six fractional digits, so that text order is time order. */
  function paddedTime(time: string): string {
    const [seconds = '', fraction = ''] = time.replace('Z', '').split('.');
    return `${seconds}.${fraction.padEnd(6, '0')}Z`;
  }
});

describe('a transaction', () => {
  test('can read, commit and roll back', async () => {
    const name = freshName();
    const begun = await call<{ transaction: string }>('beginTransaction', {});
    const { transaction } = begun.json;

    const [found] = await get([name], { transaction });
    const { status } = await call('commit', { transaction, writes: [update(name, {})] });
    const [again] = await get([name], { newTransaction: {} });
    const rolledBack = await call('rollback', { transaction: again?.transaction });

    expect(found).toMatchObject({ missing: name });
    expect(status).toBe(200);
    expect(again).toEqual({ transaction: expect.any(String) as string });
    expect(rolledBack).toEqual({ status: 200, json: {} });
    await commit(update(name, { free: integer(1) }));
  });
});

describe('batchWrite', () => {
  test('applies each write separately, and reports which failed', async () => {
    const [one, two] = [freshName(), freshName()];

    const { json } = await call<{ status: readonly { code?: number }[] }>('batchWrite', {
      writes: [
        update(one, {}, { currentDocument: { exists: true } }),
        update(two, { n: integer(1) }),
      ],
    });

    expect(json.status.map(({ code = 0 }) => code)).toEqual([5, 0]);
    expect((await stored(two)).fields).toEqual({ n: integer(1) });
  });
});

describe('an invalid request', () => {
  const from = [{ collectionId: 'c' }];

  test.each<[string, string, unknown]>([
    ['malformed JSON', 'commit', '{'],
    ['a list instead of an object', 'runQuery', '[]'],
    ['an unknown field', 'commit', { nope: 1 }],
    ['an unknown nested field', 'runQuery', { structuredQuery: { nope: 1 } }],
    ['an invalid integer', 'commit', valueOf({ integerValue: 'x' })],
    ['an integer of 65 bits', 'commit', valueOf({ integerValue: '9223372036854775808' })],
    ['an invalid time', 'commit', valueOf({ timestampValue: 'x' })],
    ['invalid bytes', 'commit', valueOf({ bytesValue: '*' })],
    ['a value of two types', 'commit', valueOf({ integerValue: '1', doubleValue: 1 })],
    ['a value without a type', 'commit', valueOf({})],
    ['a list in a list', 'commit', valueOf({ arrayValue: { values: [{ arrayValue: {} }] } })],
    ['a geo point beyond the pole', 'commit', valueOf({ geoPointValue: { latitude: 91 } })],
    ['an invalid reference', 'commit', valueOf({ referenceValue: 'x' })],
    ['a reserved field', 'commit', { writes: [update(`${ROOT}/c/d`, { __a__: integer(1) })] }],
    ['a reserved id', 'commit', { writes: [update(`${ROOT}/c/__d__`, {})] }],
    ['an invalid resource name', 'commit', { writes: [update('x', {})] }],
    ['the name of the root', 'commit', { writes: [update(ROOT, {})] }],
    ['the name of a collection', 'commit', { writes: [{ delete: `${ROOT}/c` }] }],
    ['an empty write', 'commit', { writes: [{}] }],
    ['no query', 'runQuery', {}],
    ['a negative limit', 'runQuery', { structuredQuery: { from, limit: -1 } }],
    ['a limit as a wrapper object', 'runQuery', { structuredQuery: { from, limit: { value: 1 } } }],
    ['a reserved id in a read', 'batchGet', { documents: [`${ROOT}/c/__d__`] }],
  ])('is refused: %s', async (_what, method, body) => {
    const { status, json } = await call<Refused>(method, body);

    expect([status, json.error.code, json.error.status]).toEqual([400, 400, 'INVALID_ARGUMENT']);
  });

  test('is refused without administrator credentials', async () => {
    const name = freshName();
    const response = await fetch(`http://${firestoreHost}/v1/${ROOT}:commit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ writes: [update(name, {})] }),
    });

    expect(response.status).toBe(403);
    expect(await get([name])).toMatchObject([{ missing: name }]);
  });

  test.each([
    ['an unknown method', 'POST', `/v1/${ROOT}:nope`],
    ['an unknown resource', 'POST', `/v1/${DATABASE}:commit`],
    ['another HTTP method', 'PUT', `/v1/${ROOT}:commit`],
  ])('is not found: %s', async (_what, method, path) => {
    const response = await fetch(`http://${firestoreHost}${path}`, {
      method,
      headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
      body: '{}',
    });

    expect(response.status).toBe(404);
  });

  function valueOf(value: object): object {
    return { writes: [update(`${ROOT}/c/d`, { value })] };
  }
});

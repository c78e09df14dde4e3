/** Tests of the requests that calls send, and of their outcome after each type of response. test/contract tests the results of queries. */
import {
  truncateBody,
  neverRespond,
  resetConnection,
  respondJson,
  respondText,
  startStubServer,
  type Responder,
  type StubServer,
} from '../../../test/support/google/stubServer.ts';
import { createFirestore, type Firestore, type FirestoreError, type CallLimits } from './index.ts';

const DOCUMENTS_ROOT = 'projects/demo/databases/second/documents';
const QUERY = { collection: 'things', where: {}, select: ['a'] };
const LIMITS: CallLimits = { signal: new AbortController().signal, remainingMs: 30_000 };

const tokens = { get: jest.fn<Promise<string>, []>(), discard: jest.fn<undefined, [string]>() };
let server: StubServer;
let firestore: Firestore;

beforeAll(async () => {
  server = await startStubServer();
  const emulator = server.address;
  const billed = { project: 'demo', quotaProject: 'billing' };
  firestore = createFirestore({ ...billed, database: 'second', tokens, emulator });
});

beforeEach(() => {
  tokens.get.mockReset().mockResolvedValueOnce('one').mockResolvedValue('two');
  tokens.discard.mockReset();
});

afterAll(() => server.stop());

/** Sends a read, which `respondCount` responds to. */
async function count(limits = LIMITS): Promise<number> {
  return (await firestore.count(QUERY, limits)).total;
}

function respondCount(total: number): Responder {
  return respondJson([{ result: { aggregateFields: { count: { integerValue: String(total) } } } }]);
}

/** Sends a write. */
async function commit(): Promise<void> {
  return firestore.commit([{ delete: createDocument('a') }], LIMITS);
}

function createDocument(id: string) {
  return { id, path: `things/${id}`, fields: {}, updateTime: 'one' };
}

function respondError(httpStatus: number, status: string): Responder {
  return respondJson({ error: { status, message: 'Why.' } }, httpStatus);
}

test('find requests a page of a subcollection after a position, in the order of the list', async () => {
  server.setResponses(respondJson([{}]));
  const list = { collection: 'people/ü %/things', isCollectionGroup: true, select: ['a'] };
  const order = { orderBy: 'order', descending: true } as const;

  const position = { path: 'things/a', fields: { order: { doubleValue: 0.5 } } };
  await firestore.find({ ...list, ...order, where: { owner: 'alice' } }, 20, position, LIMITS);

  const [{ path, headers, body } = { path: '', headers: {}, body: {} }] = server.requests;
  expect(path).toBe(`/v1/${DOCUMENTS_ROOT}/people/%C3%BC%20%25:runQuery?prettyPrint=false`);
  expect(headers).toMatchObject({
    'x-goog-request-params': 'project_id=demo&database_id=second',
    'x-goog-user-project': 'billing',
    authorization: 'Bearer one',
  });
  const direction = 'DESCENDING';
  const value = { stringValue: 'alice' };
  const filters = [{ fieldFilter: { field: { fieldPath: 'owner' }, op: 'EQUAL', value } }];
  expect(body).toEqual({
    structuredQuery: {
      select: { fields: [{ fieldPath: 'a' }] },
      from: [{ collectionId: 'things', allDescendants: true }],
      where: { compositeFilter: { op: 'AND', filters } },
      orderBy: ['order', '__name__'].map((fieldPath) => ({ field: { fieldPath }, direction })),
      startAt: {
        values: [{ doubleValue: 0.5 }, { referenceValue: `${DOCUMENTS_ROOT}/things/a` }],
        before: false,
      },
      limit: 20,
    },
  });
});

test.each([
  { name: 'ascending', order: {}, bounds: ['1', '2'], before: true },
  { name: 'descending', order: { descending: true }, bounds: ['2', '1'], before: false },
] as const)('a range starts and ends at values of the $name sort field', async (row) => {
  const range = { from: { integerValue: '1' }, to: { integerValue: '2' } };
  const query = { ...QUERY, orderBy: 'order', range, ...row.order };
  const [startAt, endAt] = row.bounds.map((integerValue) => ({
    values: [{ integerValue }],
    before: row.before,
  }));
  server.setResponses(respondJson([{}]), respondCount(3), respondJson([{}]));

  await firestore.find(query, 20, undefined, LIMITS);
  await firestore.count(query, LIMITS);
  const position = { path: 'things/a', fields: { order: { integerValue: '1' } } };
  await firestore.find(query, 20, position, LIMITS);

  const name = { referenceValue: `${DOCUMENTS_ROOT}/things/a` };
  expect(server.requests.map(({ body }) => body)).toMatchObject([
    { structuredQuery: { startAt, endAt } },
    { structuredAggregationQuery: { structuredQuery: { startAt, endAt } } },
    { structuredQuery: { startAt: { values: [{ integerValue: '1' }, name] }, endAt } },
  ]);
});

test('get returns documents in the order of the request, even if they arrive in another order', async () => {
  const [a, b] = [`${DOCUMENTS_ROOT}/things/a`, `${DOCUMENTS_ROOT}/things/b`];
  server.setResponses(respondJson([{ missing: b }, { found: { name: a, updateTime: 'one' } }]));

  const { documents } = await firestore.get(['things/a', 'things/b'], ['x'], LIMITS);

  expect(documents).toMatchObject([{ id: 'a', path: 'things/a', fields: {} }, undefined]);
  expect(server.requests[0]?.body).toEqual({ documents: [a, b], mask: { fieldPaths: ['x'] } });
});

test('commit sends a precondition with each write: the version that was read, or that the document does not exist', async () => {
  server.setResponses(respondJson({ writeResults: [{}, {}, {}] }));
  const fields = { x: { integerValue: '1' } };

  const changes = { ...fields, deleted: undefined };
  const update = { update: createDocument('b'), changes };
  const create = { create: 'things/c', fields: changes };
  await firestore.commit([{ delete: createDocument('a') }, update, create], LIMITS);

  const currentDocument = { updateTime: 'one' };
  const [a, b, c] = [
    `${DOCUMENTS_ROOT}/things/a`,
    `${DOCUMENTS_ROOT}/things/b`,
    `${DOCUMENTS_ROOT}/things/c`,
  ];
  expect(server.requests[0]?.body).toEqual({
    writes: [
      { delete: a, currentDocument },
      {
        update: { name: b, fields },
        updateMask: { fieldPaths: ['x', 'deleted'] },
        currentDocument,
      },
      { update: { name: c, fields }, currentDocument: { exists: false } },
    ],
  });
});

test('commit sends transforms, which keep all other fields of an existing document', async () => {
  server.setResponses(respondJson({ writeResults: [{}] }));
  const values = [{ stringValue: 'x' }];
  const operand = { arrayValue: { values } };

  const transforms = [
    { field: 'n', operation: 'increment', operand: { integerValue: '2' } },
    { field: 'a', operation: 'arrayUnion', operand },
    { field: 'b', operation: 'arrayRemove', operand },
  ] as const;
  await firestore.commit([{ transform: 'things/a', transforms }], LIMITS);

  expect(server.requests[0]?.body).toEqual({
    writes: [
      {
        update: { name: `${DOCUMENTS_ROOT}/things/a` },
        updateMask: { fieldPaths: [] },
        updateTransforms: [
          { fieldPath: 'n', increment: { integerValue: '2' } },
          { fieldPath: 'a', appendMissingElements: { values } },
          { fieldPath: 'b', removeAllFromArray: { values } },
        ],
        currentDocument: { exists: true },
      },
    ],
  });
});

const FOUND = { document: { name: `${DOCUMENTS_ROOT}/things/a`, updateTime: 'one' } };
const find = async () => firestore.find(QUERY, 10, undefined, LIMITS);
const getOne = async () => firestore.get(['things/a'], [], LIMITS);
const getTwo = async () => firestore.get(['things/a', 'things/b'], [], LIMITS);

test.each([
  { name: 'an empty list', elements: [{ readTime: 'now' }], ids: [], reads: 1 },
  { name: 'an empty list of the emulator', elements: [{ done: true }], ids: [], reads: 1 },
  {
    name: 'two documents with a progress message between them',
    elements: [FOUND, { skippedResults: 1 }, FOUND],
    ids: ['a', 'a'],
    reads: 2,
  },
])('find returns $name, with the size and the billed reads', async ({ elements, ids, reads }) => {
  server.setResponses(respondJson(elements));

  const bytes = JSON.stringify(elements).length;
  const documents = ids.map((id) => ({ id }));
  expect(await find()).toMatchObject({ documents, reads, bytes });
});

test.each([
  { total: 0, reads: 1 },
  { total: 1000, reads: 1 },
  { total: 1001, reads: 2 },
])('a count of $total is billed as $reads reads', async ({ total, reads }) => {
  server.setResponses(respondCount(total));

  expect(await firestore.count(QUERY, LIMITS)).toEqual({ total, reads });
});

const ERROR = { error: { code: 503, message: 'secret', status: 'UNAVAILABLE' } };

test.each<{ name: string; read: () => Promise<unknown>; incomplete: unknown }>([
  { name: 'find after a list that ends with an error', read: find, incomplete: [FOUND, ERROR] },
  { name: 'find after a list that starts with an error', read: find, incomplete: [ERROR, FOUND] },
  { name: 'find after an empty array', read: find, incomplete: [] },
  { name: 'find after a list with null', read: find, incomplete: [null] },
  {
    name: 'find after a document without a name',
    read: find,
    incomplete: [{ document: { ...FOUND.document, name: 7 } }],
  },
  {
    name: 'find after a document without a version',
    read: find,
    incomplete: [{ document: { name: FOUND.document.name } }],
  },
  {
    name: 'get after a document without a version',
    read: getOne,
    incomplete: [{ found: { name: FOUND.document.name } }],
  },
  {
    name: 'get after one document of two',
    read: getTwo,
    incomplete: [{ missing: `${DOCUMENTS_ROOT}/things/a` }],
  },
  { name: 'get after an object instead of a list', read: getTwo, incomplete: {} },
  {
    name: 'count after a response without a result',
    read: count,
    incomplete: [{ readTime: 'now' }],
  },
])('retries $name', async ({ read, incomplete }) => {
  const complete = [
    { missing: `${DOCUMENTS_ROOT}/things/a` },
    { missing: `${DOCUMENTS_ROOT}/things/b` },
    { result: { aggregateFields: { count: { integerValue: '7' } } } },
  ];
  server.setResponses(respondJson(incomplete), respondJson(incomplete), respondJson(complete));

  await read();

  expect(server.requests).toHaveLength(3);
});

/** Sends a read that gets this response twice, and a commit that gets it once. */
async function observeOutcomes(response: Responder) {
  server.setResponses(response, response, respondCount(7));
  const read = await count().catch(String);
  const reads = server.requests.length;
  server.setResponses(response);
  const error = await commit().catch((thrown: unknown) => thrown as FirestoreError);
  return {
    read,
    reads,
    message: error?.message,
    wasNotApplied: error?.wasNotApplied,
    commits: server.requests.length,
  };
}

test.each([
  { name: 'lacks a result', response: respondJson({}), message: 'The response lacks a result.' },
  { name: 'is null', response: respondJson(null), message: 'The response lacks a result.' },
  { name: 'is not JSON', response: respondText('<'), message: 'The response lacks a result.' },
  { name: 'is empty', response: respondText('', 204), message: 'HTTP 204' },
  { name: 'is truncated', response: respondText('{"error": {"sta', 400), message: 'HTTP 400' },
  {
    name: 'is an error with status 200',
    response: respondError(200, 'UNAVAILABLE'),
    message: 'Why.',
  },
  { name: 'is an empty error', response: respondJson({ error: null }), message: 'HTTP 200' },
  {
    name: 'is an error of another format',
    response: respondJson({ error: { status: 7 } }, 503),
    message: 'HTTP 503',
  },
  { name: 'is a reset connection', response: resetConnection, message: 'The connection failed.' },
  {
    name: 'has an incomplete body',
    response: truncateBody('{'),
    message: 'The connection failed.',
  },
])(
  'if the response $name, a read is retried, and the outcome of a commit is unknown',
  async ({ response, message }) => {
    expect(await observeOutcomes(response)).toEqual({
      read: 7,
      reads: 3,
      message: `UNAVAILABLE: ${message}`,
      wasNotApplied: false,
      commits: 1,
    });
  },
);

/** The outcomes if the read is retried, but the commit is not. */
const RETRIED_READ = { read: 7, reads: 3, commits: 1 };

/** Returns the outcomes if neither call is retried. */
function expectedWithoutRetry(status: string) {
  return { read: `FirestoreError: ${status}: Why.`, reads: 1, commits: 1 };
}

test.each(['UNAVAILABLE', 'DEADLINE_EXCEEDED', 'INTERNAL', 'UNKNOWN', 'CANCELLED', 'DATA_LOSS'])(
  'after %s a read is retried, and the outcome of a commit is unknown',
  async (status) => {
    expect(await observeOutcomes(respondError(400, status))).toMatchObject({
      ...RETRIED_READ,
      wasNotApplied: false,
    });
  },
);

test.each(['RESOURCE_EXHAUSTED', 'ABORTED'])(
  'after %s a read is retried, and a commit was not applied',
  async (status) => {
    expect(await observeOutcomes(respondError(400, status))).toMatchObject({
      ...RETRIED_READ,
      wasNotApplied: true,
    });
  },
);

test.each([
  'ALREADY_EXISTS',
  'FAILED_PRECONDITION',
  'INVALID_ARGUMENT',
  'PERMISSION_DENIED',
  'NOT_FOUND',
])('after %s a read is not retried, and a commit was not applied', async (status) => {
  expect(await observeOutcomes(respondError(400, status))).toMatchObject({
    ...expectedWithoutRetry(status),
    wasNotApplied: true,
  });
});

test('after UNIMPLEMENTED a read is not retried, and the outcome of a commit is unknown', async () => {
  expect(await observeOutcomes(respondError(400, 'UNIMPLEMENTED'))).toMatchObject({
    ...expectedWithoutRetry('UNIMPLEMENTED'),
    wasNotApplied: false,
  });
});

test.each([
  { name: 'with an error', reject: respondError(401, 'UNAUTHENTICATED') },
  { name: 'with HTML', reject: respondText('<html>', 401) },
])('a token that is rejected $name is replaced', async ({ reject }) => {
  server.setResponses(reject, respondCount(7));

  expect(await count()).toBe(7);

  expect(tokens.discard.mock.calls).toEqual([['one']]);
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer one',
    'Bearer two',
  ]);
});

test.each([
  { name: 'a read', call: count },
  { name: 'a commit', call: commit },
])('$name fails if a new token is rejected, too', async ({ call }) => {
  server.setResponses(respondError(401, 'UNAUTHENTICATED'));

  await expect(call()).rejects.toMatchObject({ status: 'UNAUTHENTICATED', wasNotApplied: true });
  expect(server.requests).toHaveLength(2);
});

test('without an access token, a commit is not sent, and a read is retried', async () => {
  tokens.get.mockReset().mockRejectedValueOnce(new Error('No.')).mockRejectedValueOnce(new Error());
  server.setResponses(respondCount(7));

  await expect(commit()).rejects.toMatchObject({ wasNotSent: true, cause: new Error('No.') });
  expect(await count()).toBe(7);
  expect(server.requests).toHaveLength(1);
});

describe('at the deadline', () => {
  /** Creates limits, and a function that reaches their deadline. */
  function createDeadline() {
    const controller = new AbortController();
    const reachDeadline = () => {
      controller.abort(new Error('Late.'));
    };
    return { reachDeadline, limits: { signal: controller.signal, remainingMs: 30_000 } };
  }

  test('a call that waits before a retry fails, and the cause is the error of its last attempt', async () => {
    const { reachDeadline, limits } = createDeadline();
    server.setResponses(respondError(503, 'UNAVAILABLE'));
    jest.spyOn(Math, 'random').mockImplementation(() => {
      reachDeadline();
      return 1;
    });

    await expect(count(limits)).rejects.toMatchObject({ cause: { message: 'UNAVAILABLE: Why.' } });
    expect(server.requests).toHaveLength(1);
  });

  test('a call that waits for a token is not sent', async () => {
    const { reachDeadline, limits } = createDeadline();
    tokens.get.mockReset().mockReturnValue(new Promise(() => undefined));

    const result = firestore.commit([], limits);
    reachDeadline();

    await expect(result).rejects.toMatchObject({ wasNotSent: true, cause: new Error('Late.') });
  });

  test('a later call is not sent', async () => {
    const { reachDeadline, limits } = createDeadline();
    server.setResponses(neverRespond);
    reachDeadline();

    await expect(count(limits)).rejects.toMatchObject({ wasNotSent: true });
    expect(server.requests).toEqual([]);
  });
});

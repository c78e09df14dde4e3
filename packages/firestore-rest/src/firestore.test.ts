/** How calls are sent, and what becomes of them after each kind of response; test/contract has what queries find. */
import {
  truncateBody,
  neverRespond,
  resetConnection,
  respondJson,
  respondText,
  startStubServer,
  type Responder,
  type StubServer,
} from '../../../dev/testing/stubServer.ts';
import { createFirestore, type Firestore, type FirestoreError, type CallOptions } from './index.ts';

const ROOT = 'projects/demo/databases/second/documents';
const QUERY = { collection: 'things', where: {}, select: ['a'] };
const LIMITS: CallOptions = { signal: new AbortController().signal, remainingMs: 30_000 };

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

/** A call that reads, and the response to it. */
const count = async (limits = LIMITS) => (await firestore.count(QUERY, limits)).total;
const counted = (total: number | string) =>
  respondJson([{ result: { aggregateFields: { count: { integerValue: String(total) } } } }]);

/** A call that writes. */
const commit = async () => firestore.commit([{ delete: thing('a') }], LIMITS);

function thing(id: string) {
  return { id, path: `things/${id}`, fields: {}, updateTime: 'one' };
}

/** A response with an error. */
function failed(httpStatus: number, status: string): Responder {
  return respondJson({ error: { status, message: 'Why.' } }, httpStatus);
}

test('a page of a collection below a document starts after a position, in the order of the list', async () => {
  server.setResponses(respondJson([{}]));
  const list = { collection: 'people/ü %/things', isCollectionGroup: true, select: ['a'] };
  const order = { orderBy: 'order', descending: true } as const;

  const position = { path: 'things/a', fields: { order: { doubleValue: 0.5 } } };
  await firestore.find({ ...list, ...order, where: { owner: 'alice' } }, 20, position, LIMITS);

  const [{ path, headers, body } = { path: '', headers: {}, body: {} }] = server.requests;
  expect(path).toBe(`/v1/${ROOT}/people/%C3%BC%20%25:runQuery?prettyPrint=false`);
  expect(headers).toMatchObject({
    'x-goog-request-params': 'project_id=demo&database_id=second',
    'x-goog-user-project': 'billing',
    authorization: 'Bearer one',
  });
  const [direction, value] = ['DESCENDING', { stringValue: 'alice' }];
  const filters = [{ fieldFilter: { field: { fieldPath: 'owner' }, op: 'EQUAL', value } }];
  expect(body).toEqual({
    structuredQuery: {
      select: { fields: [{ fieldPath: 'a' }] },
      from: [{ collectionId: 'things', allDescendants: true }],
      where: { compositeFilter: { op: 'AND', filters } },
      orderBy: ['order', '__name__'].map((fieldPath) => ({ field: { fieldPath }, direction })),
      startAt: {
        values: [{ doubleValue: 0.5 }, { referenceValue: `${ROOT}/things/a` }],
        before: false,
      },
      limit: 20,
    },
  });
});

test('documents are returned in the order of the request, in whatever order they arrive', async () => {
  const [a, b] = [`${ROOT}/things/a`, `${ROOT}/things/b`];
  server.setResponses(respondJson([{ missing: b }, { found: { name: a, updateTime: 'one' } }]));

  const { documents } = await firestore.get(['things/a', 'things/b'], ['x'], LIMITS);

  expect(documents).toMatchObject([{ id: 'a', path: 'things/a', fields: {} }, undefined]);
  expect(server.requests[0]?.body).toEqual({ documents: [a, b], mask: { fieldPaths: ['x'] } });
});

test('a commit has a precondition for each write: the version that was read, or that the document does not exist', async () => {
  server.setResponses(respondJson({ writeResults: [{}, {}, {}] }));
  const fields = { x: { integerValue: '1' } };

  const changes = { ...fields, gone: undefined };
  const update = { update: thing('b'), changes };
  const create = { create: 'things/c', fields: changes };
  await firestore.commit([{ delete: thing('a') }, update, create], LIMITS);

  const currentDocument = { updateTime: 'one' };
  const [a, b, c] = [`${ROOT}/things/a`, `${ROOT}/things/b`, `${ROOT}/things/c`];
  expect(server.requests[0]?.body).toEqual({
    writes: [
      { delete: a, currentDocument },
      { update: { name: b, fields }, updateMask: { fieldPaths: ['x', 'gone'] }, currentDocument },
      { update: { name: c, fields }, currentDocument: { exists: false } },
    ],
  });
});

const FOUND = { document: { name: `${ROOT}/things/a`, updateTime: 'one' } };
const list = async () => firestore.find(QUERY, 10, undefined, LIMITS);
const oneDocument = async () => firestore.get(['things/a'], [], LIMITS);
const twoDocuments = async () => firestore.get(['things/a', 'things/b'], [], LIMITS);

test.each([
  ['an empty list', list, [{ readTime: 'now' }], 1],
  ['an empty list of the emulator', list, [{ done: true }], 1],
  ['two documents, and progress between them', list, [FOUND, { skippedResults: 1 }, FOUND], 2],
])('%s is whole, and costs what Firestore bills', async (_what, read, elements, reads) => {
  server.setResponses(respondJson(elements));

  const bytes = JSON.stringify(elements).length;
  const documents = elements.filter((element) => 'document' in element).map(() => ({ id: 'a' }));
  expect(await read()).toMatchObject({ documents, reads, bytes });
});

test.each([
  [0, 1],
  [1000, 1],
  [1001, 2],
])('a count of %i costs %i reads', async (total, reads) => {
  server.setResponses(counted(total));

  expect(await firestore.count(QUERY, LIMITS)).toEqual({ total, reads });
});

const ERROR = { error: { code: 503, message: 'secret', status: 'UNAVAILABLE' } };

test.each<[string, () => Promise<unknown>, unknown]>([
  ['a list that ends with an error', list, [FOUND, ERROR]],
  ['a list that starts with an error', list, [ERROR, FOUND]],
  ['an empty array', list, []],
  ['a list with null', list, [null]],
  ['a document without a name', list, [{ document: { ...FOUND.document, name: 7 } }]],
  ['a document without a version', list, [{ document: { name: FOUND.document.name } }]],
  ['a document without a version', oneDocument, [{ found: { name: FOUND.document.name } }]],
  ['one document of two', twoDocuments, [{ missing: `${ROOT}/things/a` }]],
  ['no list of documents', twoDocuments, {}],
  ['a count without a result', count, [{ readTime: 'now' }]],
])('retries after %s', async (_what, read, incomplete) => {
  const complete = [
    { missing: `${ROOT}/things/a` },
    { missing: `${ROOT}/things/b` },
    { result: { aggregateFields: { count: { integerValue: '7' } } } },
  ];
  server.setResponses(respondJson(incomplete), respondJson(incomplete), respondJson(complete));

  await read();

  expect(server.requests).toHaveLength(3);
});

/** Sends a read that gets this response twice, and a commit that gets it once. */
async function observeOutcomes(response: Responder) {
  server.setResponses(response, response, counted(7));
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
  { name: 'is cut', response: respondText('{"error": {"sta', 400), message: 'HTTP 400' },
  { name: 'is an error with status 200', response: failed(200, 'UNAVAILABLE'), message: 'Why.' },
  { name: 'is an empty error', response: respondJson({ error: null }), message: 'HTTP 200' },
  {
    name: 'is an error of another format',
    response: respondJson({ error: { status: 7 } }, 503),
    message: 'HTTP 503',
  },
  { name: 'is a reset', response: resetConnection, message: 'The connection failed.' },
  { name: 'breaks off', response: truncateBody('{'), message: 'The connection failed.' },
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

const RETRIED = { read: 7, reads: 3, commits: 1 };

function notRetried(status: string) {
  return { read: `FirestoreError: ${status}: Why.`, reads: 1, commits: 1 };
}

test.each(['UNAVAILABLE', 'DEADLINE_EXCEEDED', 'INTERNAL', 'UNKNOWN', 'CANCELLED', 'DATA_LOSS'])(
  'after %s a read is retried, and the outcome of a commit is unknown',
  async (status) => {
    expect(await observeOutcomes(failed(400, status))).toMatchObject({
      ...RETRIED,
      wasNotApplied: false,
    });
  },
);

test.each(['RESOURCE_EXHAUSTED', 'ABORTED'])(
  'after %s a read is retried, and a commit was not applied',
  async (status) => {
    expect(await observeOutcomes(failed(400, status))).toMatchObject({
      ...RETRIED,
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
  expect(await observeOutcomes(failed(400, status))).toMatchObject({
    ...notRetried(status),
    wasNotApplied: true,
  });
});

test('after UNIMPLEMENTED a read is not retried, and the outcome of a commit is unknown', async () => {
  expect(await observeOutcomes(failed(400, 'UNIMPLEMENTED'))).toMatchObject({
    ...notRetried('UNIMPLEMENTED'),
    wasNotApplied: false,
  });
});

test.each([failed(401, 'UNAUTHENTICATED'), respondText('<html>', 401)])(
  'a token that Firestore rejects is replaced',
  async (rejects) => {
    server.setResponses(rejects, counted(7));

    expect(await count()).toBe(7);

    expect(tokens.discard.mock.calls).toEqual([['one']]);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer one',
      'Bearer two',
    ]);
  },
);

test.each([count, commit])('a call fails if a new token is rejected, too', async (call) => {
  server.setResponses(failed(401, 'UNAUTHENTICATED'));

  await expect(call()).rejects.toMatchObject({ status: 'UNAUTHENTICATED', wasNotApplied: true });
  expect(server.requests).toHaveLength(2);
});

test('without an access token a commit was not sent, and a read is repeated', async () => {
  tokens.get.mockReset().mockRejectedValueOnce(new Error('No.')).mockRejectedValueOnce(new Error());
  server.setResponses(counted(7));

  await expect(commit()).rejects.toMatchObject({ wasNotSent: true, cause: new Error('No.') });
  expect(await count()).toBe(7);
  expect(server.requests).toHaveLength(1);
});

describe('at the deadline', () => {
  /** Limits that end when this is called. */
  function deadline() {
    const controller = new AbortController();
    const pass = () => {
      controller.abort(new Error('Late.'));
    };
    return { pass, limits: { signal: controller.signal, remainingMs: 30_000 } };
  }

  test('a call that waits for its next attempt ends, and the cause is the error of the last one', async () => {
    const { pass, limits } = deadline();
    server.setResponses(failed(503, 'UNAVAILABLE'));
    jest.spyOn(Math, 'random').mockImplementation(() => {
      pass();
      return 1;
    });

    await expect(count(limits)).rejects.toMatchObject({ cause: { message: 'UNAVAILABLE: Why.' } });
    expect(server.requests).toHaveLength(1);
  });

  test('a call that waits for a token was not sent', async () => {
    const { pass, limits } = deadline();
    tokens.get.mockReset().mockReturnValue(new Promise(() => undefined));

    const late = firestore.commit([], limits);
    pass();

    await expect(late).rejects.toMatchObject({ wasNotSent: true, cause: new Error('Late.') });
  });

  test('nothing more is sent', async () => {
    const { pass, limits } = deadline();
    server.setResponses(neverRespond);
    pass();

    await expect(count(limits)).rejects.toMatchObject({ wasNotSent: true });
    expect(server.requests).toEqual([]);
  });
});

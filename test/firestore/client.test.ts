/** How calls to Firestore are sent, and what becomes of them after each kind of response. */
import type * as Client from '../../functions/src/firestore/client.ts';
import type { Connection, RawResponse } from '../../functions/src/firestore/connection.ts';
import type * as Errors from '@tattoo-marketplace/firestore-rest';
import type * as RequestContext from '../../functions/src/platform/requestContext.ts';

const mockConnection = jest.fn<Connection, [host: string, secure: boolean]>();
const mockAccessToken = jest.fn<Promise<string>, []>();
const mockDiscardToken = jest.fn<undefined, [string]>();

jest.mock('../../functions/src/firestore/connection.ts', () => ({ connection: mockConnection }));
jest.mock('../../functions/src/platform/credentials.ts', () => ({
  accessToken: mockAccessToken,
  discardToken: mockDiscardToken,
}));

const send = jest.fn<Promise<RawResponse>, Parameters<Connection>>();
const environment = { ...process.env };
const OK = { status: 200, text: '{"ok":1}' };

let client: typeof Client;
let errors: typeof Errors;
let platform: typeof RequestContext;

/** Loads the client anew: it reads the environment once. */
async function load(variables: Readonly<Record<string, string>>): Promise<void> {
  for (const name of ['FIRESTORE_EMULATOR_HOST', 'GCLOUD_PROJECT', 'GOOGLE_CLOUD_PROJECT']) {
    Reflect.deleteProperty(process.env, name);
  }
  Object.assign(process.env, { DATABASE_ID: 'second' }, variables);
  jest.resetModules();
  client = await import('../../functions/src/firestore/client.ts');
  errors = await import('@tattoo-marketplace/firestore-rest');
  platform = await import('../../functions/src/platform/requestContext.ts');
}

const loadUsual = () => load({ FIREBASE_CONFIG: '{"projectId":"demo a"}' });

beforeAll(loadUsual);

beforeEach(() => {
  mockConnection.mockReset().mockReturnValue(send);
  mockDiscardToken.mockReset();
  mockAccessToken.mockReset().mockResolvedValueOnce('one').mockResolvedValue('two');
  send.mockReset().mockResolvedValue(OK);
});

afterAll(() => {
  process.env = environment;
});

/** Makes a call that reads the member `ok` of its response. */
async function call(limitMs = 30_000): Promise<unknown> {
  const read = (response: unknown) => (response as { ok?: number }).ok;
  return new platform.RequestContext().run(limitMs, () =>
    client.call('runQuery', 'people/ü %', { limit: 1 }, read),
  );
}

/** Commits one write. */
async function commit(): Promise<unknown> {
  return new platform.RequestContext().run(30_000, () => client.commitOnce([{}]));
}

/** A response with an error. */
function failed(status: number, code: string, message = 'Why.'): RawResponse {
  return { status, text: JSON.stringify({ error: { status: code, message } }) };
}

/** The headers of each call. */
function headersSent(): unknown[] {
  return send.mock.calls.map(([, headers]) => headers);
}

const ROUTING = ['x-goog-request-params', 'project_id=demo%20a&database_id=second'];

test('calls Google over TLS, with a token and the headers for routing', async () => {
  expect(await call()).toBe(1);

  expect(mockConnection.mock.calls).toEqual([['firestore.googleapis.com', true]]);
  const [[path, headers, body] = []] = send.mock.calls;
  expect([path, headers, body]).toEqual([
    '/v1/projects/demo a/databases/second/documents/people/%C3%BC%20%25:runQuery?prettyPrint=false',
    [...ROUTING, 'Authorization', 'Bearer one'],
    '{"limit":1}',
  ]);
});

describe('the environment', () => {
  afterAll(loadUsual);

  test('may name the emulator, which needs neither TLS nor credentials', async () => {
    await load({ FIRESTORE_EMULATOR_HOST: '127.0.0.1:8080' });

    await call();

    expect(mockConnection.mock.calls).toEqual([['127.0.0.1:8080', false]]);
    expect(headersSent()).toEqual([[...ROUTING, 'Authorization', 'Bearer owner']]);
    expect(mockAccessToken).not.toHaveBeenCalled();
  });

  test.each([
    ['GCLOUD_PROJECT', { GCLOUD_PROJECT: 'demo-1', GOOGLE_CLOUD_PROJECT: 'demo-2' }, 'demo-1'],
    ['GOOGLE_CLOUD_PROJECT', { GOOGLE_CLOUD_PROJECT: 'demo-2' }, 'demo-2'],
  ])('names the project first in %s', async (_what, variables, projectId) => {
    await load(variables);

    await call();

    expect(send.mock.calls[0]?.[0]).toContain(`/v1/projects/${projectId}/databases/`);
  });

  test('must name a project', async () => {
    await load({ FIREBASE_CONFIG: '{}' });
    await expect(call()).rejects.toThrow('The environment does not name a project.');

    Reflect.deleteProperty(process.env, 'FIREBASE_CONFIG');
    await expect(call()).rejects.toThrow('The environment does not name a project.');
  });
});

test.each(['{"error":{"status":"UNAUTHENTICATED"}}', '<html>'])(
  'replaces a token that Firestore rejects with %s, once',
  async (text) => {
    send.mockResolvedValueOnce({ status: 401, text });
    expect(await call()).toBe(1);

    expect(mockDiscardToken.mock.calls).toEqual([['one']]);
    expect(headersSent()).toEqual(
      ['one', 'two'].map((token) => [...ROUTING, 'Authorization', `Bearer ${token}`]),
    );
    send.mockReset().mockResolvedValue({ status: 401, text });
    await expect(call()).rejects.toMatchObject({ status: 'UNAUTHENTICATED' });
    expect(send).toHaveBeenCalledTimes(2);
  },
);

const BROKEN: [what: string, response: RawResponse, message: string][] = [
  ['lacks a result', { status: 200, text: '{}' }, 'UNAVAILABLE: The response lacks a result.'],
  ['is null', { status: 200, text: 'null' }, 'UNAVAILABLE: The response lacks a result.'],
  ['is no JSON', { status: 200, text: '<html>' }, 'UNAVAILABLE: The response lacks a result.'],
  ['is empty', { status: 204, text: '' }, 'UNAVAILABLE: HTTP 204'],
  ['leads elsewhere', { status: 302, text: '' }, 'UNAVAILABLE: HTTP 302'],
  ['is a page of a proxy', { status: 502, text: '<html>' }, 'UNAVAILABLE: HTTP 502'],
  ['is cut', { status: 400, text: '{"error": {"sta' }, 'UNAVAILABLE: HTTP 400'],
  ['is an error with 200', failed(200, 'UNAVAILABLE'), 'UNAVAILABLE: Why.'],
  ['is a transient error', failed(503, 'UNAVAILABLE'), 'UNAVAILABLE: Why.'],
  [
    'is a list with one',
    { status: 200, text: `[{},${failed(500, 'INTERNAL').text}]` },
    'INTERNAL: Why.',
  ],
  ['is an error without content', { status: 200, text: '{"error":null}' }, 'UNAVAILABLE: HTTP 200'],
  ['is a strange error', { status: 503, text: '{"error":{"status":7}}' }, 'UNAVAILABLE: HTTP 503'],
];

test.each(BROKEN)('a call whose response %s is repeated until the deadline', async (...row) => {
  const [, response, message] = row;
  send.mockResolvedValueOnce(response).mockResolvedValueOnce(response);
  expect(await call()).toBe(1);
  expect(send).toHaveBeenCalledTimes(3);

  send.mockReset().mockResolvedValue(response);
  // The deadline passes while the client waits before its next attempt; the log gets what was wrong.
  jest.spyOn(Math, 'random').mockReturnValue(1);
  await expect(call(15)).rejects.toMatchObject({ code: 'unavailable', cause: { message } });
});

test.each([
  [failed(403, 'PERMISSION_DENIED'), 'PERMISSION_DENIED: Why.'],
  [failed(400, 'INVALID_ARGUMENT'), 'INVALID_ARGUMENT: Why.'],
  [{ status: 403, text: '<html>' }, 'PERMISSION_DENIED: HTTP 403'],
  [{ status: 404, text: '' }, 'NOT_FOUND: HTTP 404'],
])('a call that is refused with %j fails at once', async (response, message) => {
  send.mockResolvedValue(response);

  await expect(call()).rejects.toMatchObject({ name: 'FirestoreError', message });
  expect(send).toHaveBeenCalledTimes(1);
});

test('a call is repeated after a failed connection, or without an access token', async () => {
  send.mockRejectedValueOnce(errors.incomplete('The connection failed.'));
  mockAccessToken.mockReset().mockRejectedValueOnce(new Error('No.')).mockResolvedValue('two');

  expect(await call()).toBe(1);
  expect(send).toHaveBeenCalledTimes(2);
});

test('nothing is sent after the deadline', async () => {
  const context = new platform.RequestContext();

  const late = context.run(1, async () => {
    await new Promise((resolve) => {
      context.signal.addEventListener('abort', resolve);
    });
    return client.call('runQuery', '', {}, () => 1);
  });

  await expect(late).rejects.toMatchObject({ code: 'unavailable' });
  expect(send).not.toHaveBeenCalled();
});

test.each<[string, RawResponse]>([
  ['done', { status: 200, text: '{"writeResults":[{}]}' }],
  ['failed', failed(400, 'FAILED_PRECONDITION')],
  ['failed', failed(409, 'ABORTED')],
  ['failed', failed(429, 'RESOURCE_EXHAUSTED')],
  ['failed', failed(404, 'NOT_FOUND')],
  ['unknown', failed(504, 'DEADLINE_EXCEEDED')],
  ['unknown', failed(500, 'INTERNAL')],
  ['unknown', { status: 200, text: '{"writeResults":[]}' }],
  ...BROKEN.map(([, response]): [string, RawResponse] => ['unknown', response]),
])('a commit is sent once: its outcome is %s after %j', async (outcome, response) => {
  send.mockResolvedValue(response);

  expect(await commit()).toBe(outcome);
  expect(send).toHaveBeenCalledTimes(1);
});

test('a commit is unknown if its connection failed, unless it was not sent', async () => {
  send.mockRejectedValueOnce(errors.incomplete('The connection failed.'));
  expect(await commit()).toBe('unknown');

  send.mockRejectedValueOnce(errors.notSent(errors.incomplete('The connection was refused.')));
  expect(await commit()).toBe('failed');
  mockAccessToken.mockReset().mockRejectedValue(new Error('No.'));
  expect(await commit()).toBe('failed');
});

test.each([
  [400, 'INVALID_ARGUMENT'],
  [403, 'PERMISSION_DENIED'],
])('a commit that is refused with %i %s fails', async (httpStatus, status) => {
  send.mockResolvedValue(failed(httpStatus, status));

  await expect(commit()).rejects.toMatchObject({ status });
});

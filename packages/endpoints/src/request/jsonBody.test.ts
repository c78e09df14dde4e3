/** Accepted and rejected bodies, how much of a body is read, and the connection afterwards. */
import { once } from 'node:events';
import { Agent, IncomingMessage, request, type ClientRequest } from 'node:http';
import { connect, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { Request } from 'firebase-functions/https';
import * as z from 'zod';
import { readJsonBody } from './jsonBody.ts';
import { defineEndpoint } from '../defineEndpoint.ts';
import { drainRequestBody } from '../response/send.ts';
import { RequestContext } from '../runtime/requestContext.ts';
import { useFunctionsEnvironment } from '../../../../test/support/jest/isolateEnvironment.ts';
import { sendRawRequest } from '../../../../test/support/requests/sendRawRequest.ts';
import {
  useServedEndpoint,
  DOC_PLACEHOLDERS,
} from '../../../../test/support/processes/servedEndpoint.ts';

const MIB = 1024 * 1024;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const NOT_JSON = 'The body is not valid JSON.';
const TOO_MANY_VALUES = 'The body must not have more than 5000 values.';
const TOO_LARGE = 'The body must not be larger than 1 MiB.';
const NOT_JSON_TYPE = 'The Content-Type must be application/json, in UTF-8.';
const HAS_ENCODING = 'The body must be sent without a Content-Encoding.';

useFunctionsEnvironment('demo-bodies', { DEADLINE_SECONDS: '1' });

const ECHO_DECLARATION = {
  ...DOC_PLACEHOLDERS,
  method: 'PUT',
  path: '/echo',
  body: z.object({ text: z.string() }),
  response: z.object({ text: z.string() }),
  handle: (input: { body: { text: string } }) => Promise.resolve(input.body),
} as const;
const publicEcho = useServedEndpoint(defineEndpoint({ ...ECHO_DECLARATION, access: 'public' }));
const privateEcho = useServedEndpoint(defineEndpoint({ ...ECHO_DECLARATION, access: 'signedIn' }));

type Headers = Readonly<Record<string, string>>;

async function put(body: string | Uint8Array, headers: Headers = {}) {
  return sendRawRequest(publicEcho.origin, '/echo', {
    method: 'PUT',
    headers: { ...JSON_TYPE, ...headers },
    body,
  });
}

/** Creates `{"text":"…"}` with these bytes in the text. */
function createBodyWithBytes(...bytes: number[]): Uint8Array {
  return Buffer.concat([Buffer.from('{"text":"a'), Buffer.from(bytes), Buffer.from('"}')]);
}

test.each<{ name: string; body: string | Uint8Array }>([
  { name: 'truncated JSON', body: '{"text":"a"' },
  { name: 'two JSON values', body: '{}{}' },
  { name: 'NaN', body: 'NaN' },
  { name: 'JSON before a null byte', body: '{"text":"a"}\0' },
  { name: 'a trailing comma', body: '{"text":"a",}' },
  { name: 'a comment', body: '/* a */{"text":"a"}' },
  { name: 'an unclosed array', body: '['.repeat(4_900) + ']'.repeat(4_899) },
  { name: 'a byte that is not UTF-8', body: createBodyWithBytes(0xff) },
  { name: 'an overlong UTF-8 sequence', body: createBodyWithBytes(0xc0, 0xaf) },
  { name: 'JSON in UTF-16', body: Buffer.from('{"a":1}', 'utf16le') },
])('rejects $name as invalid JSON', async ({ body }) => {
  expect(await put(body)).toMatchObject({
    status: 400,
    text: JSON.stringify({ message: NOT_JSON }),
  });
});

test.each([
  { name: 'arrays', body: '['.repeat(300_000) },
  { name: 'objects', body: '{"a":'.repeat(5_000) },
])('rejects more than 5000 nested $name', async ({ body }) => {
  expect(await put(body)).toMatchObject({
    status: 400,
    text: JSON.stringify({ message: TOO_MANY_VALUES }),
  });
});

test('rejects a body of 1 MiB and one byte', async () => {
  const body = JSON.stringify({ text: 'x'.repeat(MIB + 1 - '{"text":""}'.length) });

  expect(await put(body)).toMatchObject({
    status: 413,
    text: JSON.stringify({ message: TOO_LARGE }),
  });
});

/** A body that would take 50 MiB if it were decompressed. */
const GZIPPED_BODY = gzipSync(Buffer.alloc(50 * MIB));

test.each([
  '',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/xml',
  'a/b/c;;=',
  'application/merge-patch+json',
  'application/json;charset=latin1',
  'application/json;charset =latin1',
  'application/json; charset=utf-8x',
  'application/json; charset=x-utf-8',
  'application/json; charset=utf-8; charset=latin1',
  'application/json; charset=latin1',
  'application/json; charset=utf-16',
  'application/json; charset=nonsense',
])('rejects the Content-Type "%s"', async (type) => {
  expect(await put(GZIPPED_BODY, { 'Content-Type': type })).toMatchObject({
    status: 415,
    text: JSON.stringify({ message: NOT_JSON_TYPE }),
  });
});

test.each(['gzip', 'br', 'deflate, gzip', 'nonsense'])(
  'rejects the Content-Encoding "%s"',
  async (encoding) => {
    expect(await put(GZIPPED_BODY, { 'Content-Encoding': encoding })).toMatchObject({
      status: 415,
      text: JSON.stringify({ message: HAS_ENCODING }),
    });
  },
);

test.each([
  'application/json;charset=utf-8',
  'Application/JSON; charset="UTF-8"',
  'application/json ; charset=utf8',
  'application/json;  charset = "utf-8" ; version=1',
  'application/json; a-charset=latin1',
])('accepts the Content-Type "%s"', async (type) => {
  expect((await put('{"text":"x"}', { 'Content-Type': type })).status).toBe(200);
});

test.each(['identity', 'Identity'])('accepts the Content-Encoding "%s"', async (encoding) => {
  expect((await put('{"text":"x"}', { 'Content-Encoding': encoding })).status).toBe(200);
});

test('accepts a body of 1 MiB', async () => {
  const body = JSON.stringify({ text: 'x'.repeat(MIB - '{"text":""}'.length) });

  expect((await put(body)).status).toBe(200);
});

const agent = new Agent({ keepAlive: true });
const unfinishedRequests: ClientRequest[] = [];

afterEach(() => {
  jest.useRealTimers();
  for (const unfinished of unfinishedRequests.splice(0)) unfinished.destroy();
});

afterAll(() => {
  agent.destroy();
});

interface RequestHead {
  readonly endpoint: typeof publicEcho;
  readonly method: string;
  readonly path?: string;
  readonly headers: Headers;
}

/** Sends the head of a request and the start of its body. The test may send the rest. */
function startRequest(
  { endpoint, method, path = '/', headers }: RequestHead,
  bodyStart = '',
): ClientRequest {
  const clientRequest = request(endpoint.origin + path, { agent, method, headers });
  // The service may close the connection while the test is still sending.
  clientRequest.on('error', () => undefined);
  clientRequest.flushHeaders();
  clientRequest.write(bodyStart);
  unfinishedRequests.push(clientRequest);
  return clientRequest;
}

/** Waits for the response to a request. Returns its status and body. */
async function waitForResponse(clientRequest: ClientRequest) {
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response) };
}

test.each<{ name: string; headers: Headers; bodyStart: string; status: number; message: string }>([
  {
    name: 'its Content-Length exceeds 1 MiB',
    headers: { 'Content-Length': `${MIB + 1}` },
    bodyStart: '',
    status: 413,
    message: TOO_LARGE,
  },
  {
    name: 'its first byte beyond 1 MiB has arrived',
    headers: {},
    bodyStart: 'x'.repeat(MIB + 1),
    status: 413,
    message: TOO_LARGE,
  },
  {
    name: 'the client stops in the middle of it',
    headers: { 'Content-Length': '100000' },
    bodyStart: '{"text":"',
    status: 408,
    message: 'The body did not arrive in time.',
  },
])('rejects an unfinished body if $name', async ({ headers, bodyStart, status, message }) => {
  const head = { endpoint: publicEcho, method: 'PUT', headers: { ...JSON_TYPE, ...headers } };
  const clientRequest = startRequest(head, bodyStart);

  expect(await waitForResponse(clientRequest)).toEqual({
    status,
    body: JSON.stringify({ message }),
  });
});

/** Starts to read a body of 100 bytes that stalls. */
function readStalledBody(deadlineMs: number) {
  jest.useFakeTimers();
  const headers = { 'content-type': 'application/json', 'content-length': '100' };
  const stalled = Object.assign(new IncomingMessage(new Socket()), { headers });
  const read = async () => readJsonBody(stalled as Request);
  return { stalled, body: new RequestContext().run(deadlineMs, read) };
}

test('times out after 80 % of the time until the deadline, so that the handler has the rest', async () => {
  const { body } = readStalledBody(1_000);
  const onError = jest.fn();
  body.catch(onError);

  await jest.advanceTimersByTimeAsync(799);
  expect(onError).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);

  expect(onError.mock.calls).toMatchObject([[{ code: 'request-timeout' }]]);
});

test('times out if no data arrives for 5 s', async () => {
  const { stalled, body } = readStalledBody(30_000);
  const onError = jest.fn();
  body.catch(onError);

  await jest.advanceTimersByTimeAsync(3_000);
  stalled.push('{');
  await jest.advanceTimersByTimeAsync(4_999);
  expect(onError).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);

  expect(onError.mock.calls).toMatchObject([[{ code: 'request-timeout' }]]);
});

test.each([
  { name: 'before the body is read', beforeRead: true },
  { name: 'while the body is read', beforeRead: false },
])('rejects a body as incomplete if the client disconnects $name', async ({ beforeRead }) => {
  const headers = { 'content-type': 'application/json', 'content-length': '2' };
  const aborted = Object.assign(new IncomingMessage(new Socket()), { headers });
  const disconnect = () => once(aborted.destroy(), 'close');

  if (beforeRead) await disconnect();
  const body = new RequestContext().run(2_000, async () => readJsonBody(aborted as Request));
  if (!beforeRead) await Promise.all([disconnect(), body.catch(() => undefined)]);

  await expect(body).rejects.toMatchObject({ message: 'The body is incomplete.' });
});

const removal = useServedEndpoint(
  defineEndpoint({
    ...DOC_PLACEHOLDERS,
    method: 'DELETE',
    path: '/remove',
    access: 'public',
    body: z.object({ ids: z.array(z.string()) }),
    allowBodyInQuery: true,
    response: z.object({ ids: z.array(z.string()) }),
    handle: ({ body }) => Promise.resolve(body),
  }),
);

test.each([
  { name: 'accepts an empty', body: '', status: 200, response: '{"ids":["a"]}' },
  {
    name: 'rejects a non-empty',
    body: 'x',
    status: 415,
    response: JSON.stringify({ message: NOT_JSON_TYPE }),
  },
])('$name chunked body without a Content-Type', async ({ body, status, response }) => {
  const clientRequest = startRequest({
    endpoint: removal,
    method: 'DELETE',
    path: '/remove?ids=a',
    headers: { 'Transfer-Encoding': 'chunked' },
  });
  clientRequest.end(body);

  expect(await waitForResponse(clientRequest)).toEqual({ status, body: response });
});

describe('an excessive body', () => {
  // Only the size counts here: a slow machine does not send 32 MiB within the time limit.
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('is discarded up to 32 MiB, then the connection is closed', async () => {
    const { hostname, port } = new URL(publicEcho.origin);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.write('PUT / HTTP/1.1\r\nHost: service\r\nContent-Type: application/json\r\n');
    socket.write(`Content-Length: ${100 * MIB}\r\n\r\n`);
    let count = 0;
    for (; !socket.destroyed && count < 100; count += 1) {
      await new Promise((resolve) => socket.write('x'.repeat(MIB), resolve));
    }

    expect(count).toBeGreaterThan(32);
    expect(count).toBeLessThan(50);
  });
});

const read = useServedEndpoint(
  defineEndpoint({
    ...DOC_PLACEHOLDERS,
    method: 'GET',
    path: '/read',
    access: 'public',
    response: z.object({ text: z.string() }),
    handle: () => Promise.resolve({ text: 'a text' }),
  }),
);

const GZIPPED_JSON = { ...JSON_TYPE, 'Content-Encoding': 'gzip' };

test.each<{ name: string; head: RequestHead; status: number }>([
  {
    name: '404 for an unknown path',
    head: { endpoint: publicEcho, method: 'PUT', path: '/nothing', headers: JSON_TYPE },
    status: 404,
  },
  {
    name: '405 for a wrong method',
    head: { endpoint: publicEcho, method: 'POST', headers: JSON_TYPE },
    status: 405,
  },
  {
    name: '204 to OPTIONS',
    head: { endpoint: publicEcho, method: 'OPTIONS', headers: {} },
    status: 204,
  },
  {
    name: '401 without a token',
    head: { endpoint: privateEcho, method: 'PUT', headers: JSON_TYPE },
    status: 401,
  },
  {
    name: '415 for another Content-Type',
    head: { endpoint: publicEcho, method: 'PUT', headers: { 'Content-Type': 'text/plain' } },
    status: 415,
  },
  {
    name: '415 for a Content-Encoding',
    head: { endpoint: publicEcho, method: 'PUT', headers: GZIPPED_JSON },
    status: 415,
  },
  {
    name: '200 to GET',
    head: { endpoint: read, method: 'GET', headers: GZIPPED_JSON },
    status: 200,
  },
])('responds $name without waiting for the body', async ({ head, status }) => {
  for (const length of ['100', String(30 * MIB), undefined]) {
    const framing = length ? { 'Content-Length': length } : { 'Transfer-Encoding': 'chunked' };
    const clientRequest = startRequest({ ...head, headers: { ...head.headers, ...framing } });

    expect((await waitForResponse(clientRequest)).status).toBe(status);
  }
});

test('closes the connection after 2 s if a client stops sending an unread body', () => {
  jest.useFakeTimers();
  const unread = new IncomingMessage(new Socket());

  drainRequestBody(unread);
  jest.advanceTimersByTime(1_999);
  expect(unread.destroyed).toBe(false);
  jest.advanceTimersByTime(1);
  expect(unread.destroyed).toBe(true);
});

test('reuses a keep-alive connection after accepted and rejected bodies', async () => {
  const singleConnection = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = async (path: string, body: string, headers: Headers = {}) => {
    const clientRequest = request(`${publicEcho.origin}${path}`, {
      agent: singleConnection,
      method: 'PUT',
      headers: { ...JSON_TYPE, ...headers },
    });
    clientRequest.end(body);
    const { status } = await waitForResponse(clientRequest);
    return { status, isReused: clientRequest.reusedSocket };
  };

  expect(await send('/', '{"text":"a"}')).toEqual({ status: 200, isReused: false });
  expect(await send('/nothing', '{"text":"b"}')).toEqual({ status: 404, isReused: true });
  const text = await send('/', '{"text":"c"}', { 'Content-Type': 'text/plain' });
  expect(text).toEqual({ status: 415, isReused: true });
  const encoded = await send('/', `{"text":"${'d'.repeat(60_000)}"}`, { 'Content-Encoding': 'br' });
  expect(encoded).toEqual({ status: 415, isReused: true });
  expect(await send('/nothing', 'x'.repeat(3 * MIB))).toEqual({ status: 404, isReused: true });
  expect(await send('/', '{"text":"e"}')).toEqual({ status: 200, isReused: true });
  singleConnection.destroy();
});

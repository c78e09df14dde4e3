/** Accepted bodies; for rejected ones, how much is read, and whether the connection stays open. */
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
import { useFunctionsEnvironment } from '../../../../dev/testing/functionsEnvironment.ts';
import { rawRequest } from '../../../../dev/testing/rawRequest.ts';
import { useServedEndpoint, DOC_PLACEHOLDERS } from '../../../../dev/testing/servedEndpoint.ts';

const MIB = 1024 * 1024;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const NOT_JSON = 'The body is not valid JSON.';
const TOO_MANY = 'The body must not have more than 5000 values.';
const TOO_LARGE = 'The body must not be larger than 1 MiB.';
const NOT_JSON_TYPE = 'The Content-Type must be application/json, in UTF-8.';
const ENCODED = 'The body must be sent without a Content-Encoding.';

useFunctionsEnvironment('demo-bodies', { DEADLINE_SECONDS: '1' });

const takesText = {
  ...DOC_PLACEHOLDERS,
  method: 'PUT',
  path: '/echo',
  body: z.object({ text: z.string() }),
  response: z.object({ text: z.string() }),
  handle: (input: { body: { text: string } }) => Promise.resolve(input.body),
} as const;
const echo = useServedEndpoint(defineEndpoint({ ...takesText, access: 'public' }));
const closed = useServedEndpoint(defineEndpoint({ ...takesText, access: 'signedIn' }));

type Headers = Readonly<Record<string, string>>;

async function put(body: string | Uint8Array, headers: Headers = {}) {
  const all = { ...JSON_TYPE, ...headers };
  return rawRequest(echo.origin, '/echo', { method: 'PUT', headers: all, body });
}

/** `{"text":"a"}` with more bytes in the text. */
function withBytes(...bytes: number[]): Uint8Array {
  return Buffer.concat([Buffer.from('{"text":"a'), Buffer.from(bytes), Buffer.from('"}')]);
}

test.each<[number, string, (string | Uint8Array)[]]>([
  [400, NOT_JSON, ['{"text":"a"', '{}{}', 'NaN', '{"text":"a"}\0', '{"text":"a",}']],
  [400, NOT_JSON, ['/* a */{"text":"a"}', '['.repeat(4_900) + ']'.repeat(4_899)]],
  [400, NOT_JSON, [withBytes(0xff), withBytes(0xc0, 0xaf), Buffer.from('{"a":1}', 'utf16le')]],
  [400, TOO_MANY, ['['.repeat(300_000), '{"a":'.repeat(5_000)]],
  [413, TOO_LARGE, [JSON.stringify({ text: 'x'.repeat(MIB + 1 - '{"text":""}'.length) })]],
])(
  'responds with %d “%s” to a body that is too large or not JSON',
  async (status, message, bodies) => {
    for (const body of bodies) {
      expect(await put(body)).toMatchObject({ status, text: JSON.stringify({ message }) });
    }
  },
);

const charsets = ['utf-8x', 'x-utf-8', 'utf-8; charset=latin1', 'latin1', 'utf-16', 'nonsense'];

test.each<[string, string, readonly string[]]>([
  ['Content-Type', NOT_JSON_TYPE, ['', 'text/plain', 'application/x-www-form-urlencoded']],
  ['Content-Type', NOT_JSON_TYPE, ['multipart/form-data', 'application/xml', 'a/b/c;;=']],
  ['Content-Type', NOT_JSON_TYPE, ['application/merge-patch+json']],
  ['Content-Type', NOT_JSON_TYPE, ['', ' '].map((gap) => `application/json;charset${gap}=latin1`)],
  ['Content-Type', NOT_JSON_TYPE, charsets.map((name) => `application/json; charset=${name}`)],
  ['Content-Encoding', ENCODED, ['gzip', 'br', 'deflate, gzip', 'nonsense']],
])('rejects a body by its %s, and says “%s”: %j', async (name, message, values) => {
  const body = gzipSync(Buffer.alloc(50 * MIB));
  for (const value of values) {
    const response = await put(body, { [name]: value });

    expect(response).toMatchObject({ status: 415, text: JSON.stringify({ message }) });
  }
});

test.each([
  ['application/json;charset=utf-8', 'identity', 'x'],
  ['Application/JSON; charset="UTF-8"', 'Identity', 'x'],
  ['application/json ; charset=utf8', 'identity', 'x'],
  ['application/json;  charset = "utf-8" ; version=1', 'identity', 'x'],
  ['application/json; a-charset=latin1', 'identity', 'x'.repeat(MIB - '{"text":""}'.length)],
])('accepts the content type %j and the encoding %s', async (type, encoding, text) => {
  const headers = { 'Content-Type': type, 'Content-Encoding': encoding };

  expect((await put(JSON.stringify({ text }), headers)).status).toBe(200);
});

const agent = new Agent({ keepAlive: true });
const begun: ClientRequest[] = [];

afterEach(() => {
  jest.useRealTimers();
  begun.splice(0).forEach((sent) => sent.destroy());
});

afterAll(() => {
  agent.destroy();
});

/** Sends the head of a request, and the start of its body; the test may send the rest. */
function begin(served: typeof echo, line: string, headers: Headers, start = ''): ClientRequest {
  const [method = '', path = ''] = line.split(' ');
  const sent = request(served.origin + path, { agent, method, headers });
  // The service may close the connection while the test is still sending.
  sent.on('error', () => undefined);
  sent.flushHeaders();
  sent.write(start);
  begun.push(sent);
  return sent;
}

/** The status and the body of the response to a request. */
async function responseTo(sent: ClientRequest): Promise<[status: number | undefined, string]> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return [response.statusCode, await text(response)];
}

test.each<[string, Headers, string, number, string]>([
  ['too long by its Content-Length', { 'Content-Length': `${MIB + 1}` }, '', 413, TOO_LARGE],
  ['too long as soon as the first excess byte arrives', {}, 'x'.repeat(MIB + 1), 413, TOO_LARGE],
  [
    'stopping in the middle',
    { 'Content-Length': '100000' },
    '{"text":"',
    408,
    'The body did not arrive in time.',
  ],
])('rejects a body that never ends: %s', async (_what, headers, start, status, message) => {
  const sent = begin(echo, 'PUT /', { ...JSON_TYPE, ...headers }, start);

  expect(await responseTo(sent)).toEqual([status, JSON.stringify({ message })]);
});

test('times out if no data arrives for 5 s', async () => {
  jest.useFakeTimers();
  const headers = { 'content-type': 'application/json', 'content-length': '100' };
  const silent = Object.assign(new IncomingMessage(new Socket()), { headers });
  const body = new RequestContext().run(30_000, async () => readJsonBody(silent as Request));
  const rejected = jest.fn();
  body.catch(rejected);

  await jest.advanceTimersByTimeAsync(3_000);
  silent.push('{');
  await jest.advanceTimersByTimeAsync(4_999);
  expect(rejected).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);

  expect(rejected.mock.calls).toMatchObject([[{ code: 'request-timeout' }]]);
});

test.each([
  ['before it is read', true],
  ['while it is read', false],
])('a body is incomplete if the client leaves %s', async (_what, isEarly) => {
  const headers = { 'content-type': 'application/json', 'content-length': '2' };
  const left = Object.assign(new IncomingMessage(new Socket()), { headers });
  const leave = () => once(left.destroy(), 'close');

  if (isEarly) await leave();
  const body = new RequestContext().run(2_000, async () => readJsonBody(left as Request));
  if (!isEarly) await Promise.all([leave(), body.catch(() => undefined)]);

  await expect(body).rejects.toMatchObject({ message: 'The body is incomplete.' });
});

const remove = useServedEndpoint(
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
  ['', 200, '{"ids":["a"]}'],
  ['x', 415, JSON.stringify({ message: NOT_JSON_TYPE })],
])('an empty chunked body needs no Content-Type: %j', async (body, ...expected) => {
  const sent = begin(remove, 'DELETE /remove?ids=a', { 'Transfer-Encoding': 'chunked' });
  sent.end(body);

  expect(await responseTo(sent)).toEqual(expected);
});

test('discards up to 32 MiB of an excessive body, then closes the connection', async () => {
  const { hostname, port } = new URL(echo.origin);
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

const fixed = useServedEndpoint(
  defineEndpoint({
    ...DOC_PLACEHOLDERS,
    method: 'GET',
    path: '/fixed',
    access: 'public',
    response: z.object({ text: z.string() }),
    handle: () => Promise.resolve({ text: 'a text' }),
  }),
);

test.each<[string, typeof echo, string, Headers, number]>([
  ['at an unknown path', echo, 'PUT /nothing', JSON_TYPE, 404],
  ['with a wrong method', echo, 'POST /', JSON_TYPE, 405],
  ['to OPTIONS', echo, 'OPTIONS /', {}, 204],
  ['without a token', closed, 'PUT /', JSON_TYPE, 401],
  ['with another content type', echo, 'PUT /', { 'Content-Type': 'text/plain' }, 415],
  ['with a content encoding', echo, 'PUT /', { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, 415],
  ['to GET', fixed, 'GET /', { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, 200],
])('responds without waiting for the body %s', async (_what, served, line, headers, status) => {
  for (const length of ['100', String(30 * MIB), undefined]) {
    const framing = length ? { 'Content-Length': length } : { 'Transfer-Encoding': 'chunked' };
    const sent = begin(served, line, { ...headers, ...framing });

    expect(await responseTo(sent)).toEqual([status, expect.anything()]);
  }
});

test('closes the connection of a client that sends no more of an unread body, after 2 s', () => {
  jest.useFakeTimers();
  const unread = new IncomingMessage(new Socket());

  drainRequestBody(unread);
  jest.advanceTimersByTime(1_999);
  expect(unread.destroyed).toBe(false);
  jest.advanceTimersByTime(1);
  expect(unread.destroyed).toBe(true);
});

test('reuses a keep-alive connection, whether or not the body was read', async () => {
  const single = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = async (path: string, body: string, more: Headers = {}) => {
    const headers = { ...JSON_TYPE, ...more };
    const sent = request(`${echo.origin}${path}`, { agent: single, method: 'PUT', headers });
    sent.end(body);
    const response = await responseTo(sent);
    return [...response, sent.reusedSocket];
  };

  const rejected = expect.stringContaining('message') as string;
  expect([
    await send('/', '{"text":"a"}'),
    await send('/nothing', '{"text":"b"}'),
    await send('/', '{"text":"c"}', { 'Content-Type': 'text/plain' }),
    await send('/', `{"text":"${'d'.repeat(60_000)}"}`, { 'Content-Encoding': 'br' }),
    await send('/nothing', 'x'.repeat(3 * MIB)),
    await send('/', '{"text":"e"}'),
  ]).toEqual([
    [200, '{"text":"a"}', false],
    [404, rejected, true],
    [415, rejected, true],
    [415, rejected, true],
    [404, rejected, true],
    [200, '{"text":"e"}', true],
  ]);
  single.destroy();
});

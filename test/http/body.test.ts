/** Request bodies sent byte by byte over a socket: how much is read, and whether the connection stays open. */
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { Agent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import * as fc from 'fast-check';
import * as z from 'zod';
import { hasMoreValues } from '../../functions/src/http/body.ts';
import { endpoint } from '../../functions/src/http/endpoint.ts';
import { functionsEnvironment } from '../support/functionsEnvironment.ts';
import { serveInProcess, type ServedEndpoint } from '../support/inProcess.ts';

const MIB = 1024 * 1024;
const JSON_TYPE = 'Content-Type: application/json';
const TOO_LARGE = '{"message":"The body must not be larger than 1 MiB."}';

const declared = {
  summary: 'Echo',
  description: 'Returns its input.',
  response: z.object({ text: z.string().optional() }),
  errors: {},
} as const;

let echo: ServedEndpoint;
let closed: ServedEndpoint;
let fixed: ServedEndpoint;

functionsEnvironment('demo-bodies', { DEADLINE_SECONDS: '1' });

beforeAll(async () => {
  const body = z.object({ text: z.string() });
  const handle = (input: { body: z.output<typeof body> }) => Promise.resolve(input.body);
  echo = await serveInProcess(
    endpoint({ ...declared, method: 'PUT', path: '/echo', access: 'public', body, handle }),
  );
  closed = await serveInProcess(
    endpoint({ ...declared, method: 'PUT', path: '/closed', access: 'signedIn', body, handle }),
  );
  fixed = await serveInProcess(
    endpoint({
      ...declared,
      method: 'GET',
      path: '/fixed',
      access: 'public',
      handle: () => Promise.resolve({ text: 'a text' }),
    }),
  );
});

afterAll(() => Promise.all([echo, closed, fixed].map((served) => served.stop())));

/** Opens a connection and sends the head of a request, but not its body. */
function begin({ origin }: ServedEndpoint, line: string, headers: readonly string[]): Socket {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  // The service may close the connection while the test is still sending.
  socket.on('error', () => undefined);
  socket.write([`${line} HTTP/1.1`, 'Host: service', ...headers, '', ''].join('\r\n'));
  return socket;
}

interface ReceivedResponse {
  readonly status: number;
  readonly body: string;
}

/** Reads a response from a connection and leaves the connection open. */
async function readResponse(socket: Socket): Promise<ReceivedResponse> {
  let came = '';
  for await (const chunk of socket.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    came += String(chunk);
    const [head = '', body = ''] = came.split('\r\n\r\n');
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    if (came.includes('\r\n\r\n') && body.length >= length) {
      return { status: Number(head.split(' ')[1]), body };
    }
  }
  throw new Error(`The connection ended after “${came}”.`);
}

/** Reads a response from a connection and closes the connection. */
async function readLastResponse(socket: Socket): Promise<ReceivedResponse> {
  const response = await readResponse(socket);
  socket.destroy();
  return response;
}

describe('a body that is too large', () => {
  test('is refused by its Content-Length, without being read', async () => {
    const socket = begin(echo, 'PUT /', [JSON_TYPE, `Content-Length: ${MIB + 1}`]);

    expect(await readLastResponse(socket)).toEqual({ status: 413, body: TOO_LARGE });
  });

  test('is refused as soon as its first excess byte arrives', async () => {
    const socket = begin(echo, 'PUT /', [JSON_TYPE, 'Transfer-Encoding: chunked']);
    socket.write(`${(MIB + 1).toString(16)}\r\n${'x'.repeat(MIB + 1)}\r\n`);

    // The body never ends.
    expect(await readLastResponse(socket)).toEqual({ status: 413, body: TOO_LARGE });
  });

  test('is discarded up to 32 MiB, then the connection is closed', async () => {
    const socket = begin(echo, 'PUT /', [JSON_TYPE, 'Transfer-Encoding: chunked']);
    const chunk = `100000\r\n${'x'.repeat(MIB)}\r\n`;
    let sent = 0;
    while (!socket.destroyed && sent < 100) {
      if (!socket.write(chunk)) {
        await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));
      }
      sent += 1;
    }

    expect(sent).toBeGreaterThan(32);
    expect(sent).toBeLessThan(50);
  });
});

describe('responds without waiting for the body', () => {
  test.each<[string, () => ServedEndpoint, string, readonly string[], number]>([
    ['at an unknown path', () => echo, 'PUT /nothing', [JSON_TYPE], 404],
    ['with a wrong method', () => echo, 'POST /', [JSON_TYPE], 405],
    ['to OPTIONS', () => echo, 'OPTIONS /', [], 204],
    ['without a token', () => closed, 'PUT /', [JSON_TYPE], 401],
    ['with another content type', () => echo, 'PUT /', ['Content-Type: text/plain'], 415],
    ['with a content encoding', () => echo, 'PUT /', [JSON_TYPE, 'Content-Encoding: gzip'], 415],
    ['to GET', () => fixed, 'GET /', [JSON_TYPE], 200],
  ])('%s', async (_what, served, line, headers, status) => {
    for (const length of [
      'Content-Length: 100',
      `Content-Length: ${30 * MIB}`,
      'Transfer-Encoding: chunked',
    ]) {
      const response = await readLastResponse(begin(served(), line, [...headers, length]));

      expect(response.status).toBe(status);
    }
  });
});

test('closes the connection of a client that sends no more of an unread body', async () => {
  const socket = begin(closed, 'PUT /', [JSON_TYPE, 'Content-Length: 100']);

  const { status } = await readResponse(socket);
  await once(socket, 'close');

  expect(status).toBe(401);
});

test('returns 408 before the deadline if a body stops in the middle', async () => {
  const socket = begin(echo, 'PUT /', [JSON_TYPE, 'Content-Length: 100000']);
  socket.write('{"text":"');

  expect(await readLastResponse(socket)).toEqual({
    status: 408,
    body: '{"message":"The body did not arrive in time."}',
  });
});

test('keeps working after a client disconnects in the middle of a body', async () => {
  const socket = begin(echo, 'PUT /', [JSON_TYPE, 'Content-Length: 100']);
  socket.write('{"text":"', () => socket.destroy());
  await once(socket, 'close');

  expect(await readLastResponse(whole(echo, '{"text":"a"}'))).toMatchObject({ status: 200 });
});

/** Sends a complete request that asks to close the connection. */
function whole(served: ServedEndpoint, body: string): Socket {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const socket = begin(served, 'PUT /', [JSON_TYPE, length, 'Connection: close']);
  socket.write(body);
  return socket;
}

describe('a keep-alive connection', () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  afterAll(() => {
    agent.destroy();
  });

  /** Sends a request over the one connection, and says whether the connection was reused. */
  async function send(
    { origin }: ServedEndpoint,
    path: string,
    body: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number | undefined; text: string; reused: boolean }> {
    const sent: ClientRequest = httpRequest(`${origin}${path}`, {
      agent,
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', ...headers },
    });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode, text: await text(response), reused: sent.reusedSocket };
  }

  test('is reused after a small body, whether or not the body was read', async () => {
    const first = await send(echo, '/', '{"text":"a"}');
    const unread = [
      await send(echo, '/nothing', '{"text":"b"}'),
      await send(echo, '/', '{"text":"c"}', { 'Content-Type': 'text/plain' }),
      await send(echo, '/', `{"text":"${'d'.repeat(60_000)}"}`, { 'Content-Encoding': 'br' }),
    ];
    const last = await send(echo, '/', '{"text":"e"}');

    expect(first).toEqual({ status: 200, text: '{"text":"a"}', reused: false });
    expect(unread.map(({ status, reused }) => ({ status, reused }))).toEqual([
      { status: 404, reused: true },
      { status: 415, reused: true },
      { status: 415, reused: true },
    ]);
    expect(last).toEqual({ status: 200, text: '{"text":"e"}', reused: true });
  });

  test('is reused after a large unread body', async () => {
    const refused = await send(echo, '/nothing', 'x'.repeat(3 * MIB));
    const next = await send(echo, '/', '{"text":"a"}');

    expect(refused.status).toBe(404);
    expect(next).toEqual({ status: 200, text: '{"text":"a"}', reused: true });
  });
});

/** The number of values: each list, each map, and each value in them. An empty list or map counts as two. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const members: unknown[] = Object.values(value);
  return (
    1 +
    Math.max(
      1,
      members.map(valuesIn).reduce((sum, count) => sum + count, 0),
    )
  );
}

test.each([
  ['7', 1],
  ['"[,{"', 1],
  ['"\\"[,{"', 1],
  ['[1,2,3]', 4],
  ['{"a,b":[{}],"c":"]["}', 5],
  ['[[[[', 5],
])('counts in %s exactly %i values', (json, count) => {
  const padded = Buffer.from(json.padEnd(100));

  expect(hasMoreValues(padded, count)).toBe(false);
  expect(hasMoreValues(padded, count - 1)).toBe(count > 1);
});

test('never counts more values than any JSON has (an empty list or map counts as two)', () => {
  const isCounted = fc.property(fc.jsonValue(), (value) => {
    const json = Buffer.from(`${JSON.stringify(value)}${' '.repeat(10_000)}`);
    return !hasMoreValues(json, valuesIn(value));
  });

  expect(() => {
    fc.assert(isCounted);
  }).not.toThrow();
});

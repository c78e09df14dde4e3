/** Bodies as bytes on a socket: what is read of them, and what becomes of the connection. */
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { Agent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { endpoint } from '../../functions/src/http/endpoint.ts';
import { functionsEnvironment } from '../support/functionsEnvironment.ts';
import { serveInProcess, type ServedEndpoint } from '../support/inProcess.ts';

const MIB = 1024 * 1024;
const JSON_TYPE = 'Content-Type: application/json';
const TOO_LARGE = '{"message":"The body must not be larger than 1 MiB."}';

const declared = {
  summary: 'Echo',
  description: 'Answers with what it got.',
  response: z.object({ text: z.string().optional() }),
  errors: {},
} as const;

let echo: ServedEndpoint;
let closed: ServedEndpoint;
let gift: ServedEndpoint;

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
  gift = await serveInProcess(
    endpoint({
      ...declared,
      method: 'GET',
      path: '/gift',
      access: 'public',
      handle: () => Promise.resolve({ text: 'a gift' }),
    }),
  );
});

afterAll(() => Promise.all([echo, closed, gift].map((served) => served.stop())));

/** A connection on which the head of a request was sent, and nothing of its body yet. */
function begin({ origin }: ServedEndpoint, line: string, headers: readonly string[]): Socket {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  // The service may close it while we still send.
  socket.on('error', () => undefined);
  socket.write([`${line} HTTP/1.1`, 'Host: service', ...headers, '', ''].join('\r\n'));
  return socket;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** The answer that comes on a connection, which then may stay open. */
async function answerOn(socket: Socket): Promise<Answer> {
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

/** The answer on a connection of which no more is needed. */
async function lastAnswerOn(socket: Socket): Promise<Answer> {
  const answer = await answerOn(socket);
  socket.destroy();
  return answer;
}

describe('a body that is too large', () => {
  test('is refused by its Content-Length, unread', async () => {
    const socket = begin(echo, 'PUT /', [JSON_TYPE, `Content-Length: ${MIB + 1}`]);

    expect(await lastAnswerOn(socket)).toEqual({ status: 413, body: TOO_LARGE });
  });

  test('is refused when the first byte too many has come, however it goes on', async () => {
    const socket = begin(echo, 'PUT /', [JSON_TYPE, 'Transfer-Encoding: chunked']);
    socket.write(`${(MIB + 1).toString(16)}\r\n${'x'.repeat(MIB + 1)}\r\n`);

    // Its end is never sent.
    expect(await lastAnswerOn(socket)).toEqual({ status: 413, body: TOO_LARGE });
  });

  test('is thrown away up to 32 MiB, and then its connection is closed', async () => {
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

describe('no byte of a body is waited for', () => {
  test.each<[string, () => ServedEndpoint, string, readonly string[], number]>([
    ['at a path that is no endpoint', () => echo, 'PUT /nothing', [JSON_TYPE], 404],
    ['with another method', () => echo, 'POST /', [JSON_TYPE], 405],
    ['by OPTIONS', () => echo, 'OPTIONS /', [], 204],
    ['without a token', () => closed, 'PUT /', [JSON_TYPE], 401],
    ['of another type', () => echo, 'PUT /', ['Content-Type: text/plain'], 415],
    ['in an encoding', () => echo, 'PUT /', [JSON_TYPE, 'Content-Encoding: gzip'], 415],
    ['by GET', () => gift, 'GET /', [JSON_TYPE], 200],
  ])('%s', async (_what, served, line, headers, status) => {
    for (const length of [
      'Content-Length: 100',
      `Content-Length: ${30 * MIB}`,
      'Transfer-Encoding: chunked',
    ]) {
      const answer = await lastAnswerOn(begin(served(), line, [...headers, length]));

      expect(answer.status).toBe(status);
    }
  });
});

test('whoever was answered and sends no more of the body is cut off', async () => {
  const socket = begin(closed, 'PUT /', [JSON_TYPE, 'Content-Length: 100']);

  const { status } = await answerOn(socket);
  await once(socket, 'close');

  expect(status).toBe(401);
});

test('a body that stops in the middle ends at the deadline', async () => {
  const socket = begin(echo, 'PUT /', [JSON_TYPE, 'Content-Length: 100000']);
  socket.write('{"text":"');

  expect((await lastAnswerOn(socket)).status).toBe(503);
});

test('a caller who goes away in the middle of a body leaves the service as it was', async () => {
  const socket = begin(echo, 'PUT /', [JSON_TYPE, 'Content-Length: 100']);
  socket.write('{"text":"', () => socket.destroy());
  await once(socket, 'close');

  expect(await lastAnswerOn(whole(echo, '{"text":"a"}'))).toMatchObject({ status: 200 });
});

/** A connection on which a whole request was sent that asks for its end. */
function whole(served: ServedEndpoint, body: string): Socket {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const socket = begin(served, 'PUT /', [JSON_TYPE, length, 'Connection: close']);
  socket.write(body);
  return socket;
}

describe('a connection that is kept alive', () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  afterAll(() => {
    agent.destroy();
  });

  /** Sends a request by the one connection; tells whether it was used before. */
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
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, text: await text(answer), reused: sent.reusedSocket };
  }

  test('goes on after a small body that was not read, as after one that was', async () => {
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

  test('goes on after a large one, too', async () => {
    const refused = await send(echo, '/nothing', 'x'.repeat(3 * MIB));
    const next = await send(echo, '/', '{"text":"a"}');

    expect(refused.status).toBe(404);
    expect(next).toEqual({ status: 200, text: '{"text":"a"}', reused: true });
  });
});

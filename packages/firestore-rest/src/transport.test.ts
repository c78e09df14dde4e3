/** Tests of connections: reuse, failures, timeouts, the size limit and memory. */
import { getEventListeners } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { createServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { setDefaultCACertificates } from 'node:tls';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { generate } from 'selfsigned';
import { close, listen, LOOPBACK } from '../../../dev/ports.ts';
import {
  neverRespond,
  startStubServer,
  type Responder,
  type StubServer,
} from '../../../test/support/google/stubServer.ts';
import type { CallLimits } from './retry.ts';
import { createTransport } from './transport.ts';

let server: StubServer;

beforeAll(async () => {
  server = await startStubServer();
});

afterAll(() => server.stop());

afterEach(() => {
  jest.useRealTimers();
});

/** Sends a request over a connection to the server. */
async function send(
  limits: Partial<CallLimits> = {},
  connection = createTransport(server.address, { useTls: false }),
) {
  const { signal } = new AbortController();
  const request = { path: '/path', headers: [], body: '{}' };
  return connection(request, { signal, remainingMs: 30_000, ...limits }).finally(() => {
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
}

test('a connection is reused by the next request', async () => {
  const ports: unknown[] = [];
  server.setResponses((response) => {
    ports.push(response.socket?.remotePort);
    response.end();
  });
  const connection = createTransport(server.address, { useTls: false });

  await send({}, connection);
  await turn();
  await send({}, connection);

  expect(ports).toEqual([ports[0], ports[0]]);
});

/** Sends only the start of a body. */
const stall: Responder = (response) => {
  response.writeHead(200, { 'Content-Length': 10 }).write('{');
};

test.each([
  { name: 'no response starts', respond: neverRespond, remainingMs: 30_000, timeoutMs: 5_000 },
  {
    name: 'no response starts within 60 % of the remaining time',
    respond: neverRespond,
    remainingMs: 5_000,
    timeoutMs: 3_000,
  },
  { name: 'a body stalls', respond: stall, remainingMs: 30_000, timeoutMs: 4_000 },
])('a request that may have arrived times out if $name', async (row) => {
  const { respond, remainingMs, timeoutMs } = row;
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  const received = Promise.withResolvers<undefined>();
  server.setResponses((response, request) => {
    respond(response, request);
    received.resolve(undefined);
  });
  let isSettled = false;
  const failure = send({ remainingMs }).catch((error: unknown) => {
    isSettled = true;
    return error;
  });
  await received.promise;
  // The first bytes of the response arrive.
  for (let turns = 0; turns < 20; turns += 1) await turn();

  jest.advanceTimersByTime(timeoutMs - 1);
  await turn();
  expect(isSettled).toBe(false);
  jest.advanceTimersByTime(1);

  expect(await failure).toMatchObject({
    status: 'UNAVAILABLE',
    cause: { message: `The response stalled for ${timeoutMs} ms.` },
    wasNotSent: false,
  });
});

test('a request is not sent if the connection is refused', async () => {
  const stopped = await startStubServer();
  await stopped.stop();

  const response = send({}, createTransport(stopped.address, { useTls: false }));
  await expect(response).rejects.toMatchObject({ wasNotSent: true });
});

test('a request is not sent if the connection closes during the TLS handshake', async () => {
  const silent = createServer((socket) => {
    socket.once('data', () => socket.destroy());
  });
  const host = `${LOOPBACK}:${await listen(silent)}`;

  await expect(send({}, createTransport(host, { useTls: true }))).rejects.toMatchObject({
    wasNotSent: true,
  });
  silent.close();
});

test('a character that arrives in two chunks is decoded', async () => {
  const [start, end] = [Buffer.from('ü').subarray(0, 1), Buffer.from('ü').subarray(1)];
  server.setResponses((response) => {
    response.write(start, () => setImmediate(() => response.end(end)));
  });

  expect(await send()).toEqual({ status: 200, text: 'ü', bytes: 2 });
});

test('a request is not sent after the deadline', async () => {
  server.setResponses(neverRespond);

  const response = send({ signal: AbortSignal.abort(new Error('Late.')) });

  await expect(response).rejects.toMatchObject({ wasNotSent: true, cause: new Error('Late.') });
  expect(server.requests).toEqual([]);
});

test.each([
  { name: 'a short response', chunkBytes: 10, isEndless: false, maxBytes: 9 },
  { name: 'an endless response', chunkBytes: 64 * 1024, isEndless: true, maxBytes: 512 * 1024 },
])('$name that exceeds maxBytes is aborted', async ({ chunkBytes, isEndless, maxBytes }) => {
  const closed = Promise.withResolvers<undefined>();
  server.setResponses((response) => {
    response.once('close', () => {
      closed.resolve(undefined);
    });
    const write = () => response.write('x'.repeat(chunkBytes), isEndless ? write : undefined);
    write();
  });

  await expect(send({ maxBytes })).rejects.toMatchObject({
    status: 'RESPONSE_TOO_LARGE',
    isTransient: false,
    wasNotApplied: false,
  });
  await closed.promise;
});

test('an idle connection does not retain past requests in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const altNames = [{ type: 7, ip: LOOPBACK }] as const;
  const { private: key, cert } = await generate(undefined, {
    extensions: [{ name: 'subjectAltName', altNames: [...altNames] }],
  });
  setDefaultCACertificates([cert]);
  const secure = createTlsServer({ key, cert }, (_request, response) => response.end('x'));
  const connection = createTransport(`${LOOPBACK}:${await listen(secure)}`, { useTls: true });
  /** Sends a request. Returns references to its limits and its response. */
  const sendRequest = async () => {
    const limits = { signal: new AbortController().signal, remainingMs: 30_000 };
    const request = { path: '/', headers: [], body: '{}' };
    return [new WeakRef(limits), new WeakRef(await connection(request, limits))];
  };

  const references = [...(await sendRequest()), ...(await sendRequest())];
  await turn();
  collectGarbage();

  expect(references.map((reference) => reference.deref())).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  await close(secure);
});

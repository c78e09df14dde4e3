/** How connections are reused and fail, how long they may be silent, and when they go through a proxy. */
import { getEventListeners } from 'node:events';
import {
  breaksOff,
  hangs,
  resets,
  respondsWithText,
  startScriptedServer,
  type Reaction,
  type ScriptedServer,
} from '../../../dev/shared/scriptedServer.ts';
import { openConnection } from './connection.ts';

let [server, proxy]: ScriptedServer[] = [];

beforeAll(async () => {
  [server, proxy] = [await startScriptedServer(), await startScriptedServer()];
});

afterAll(() => Promise.all([server?.stop(), proxy?.stop()]));

afterEach(() => {
  jest.useRealTimers();
  for (const name of ['HTTP_PROXY', 'NODE_USE_ENV_PROXY']) {
    Reflect.deleteProperty(process.env, name);
  }
});

/** Sends a request over a connection to the server. */
async function send(msLeft = 30_000, connection = openConnection(server?.address ?? '', false)) {
  const { signal } = new AbortController();
  return connection('/path', [], '{}', { signal, msLeft }).finally(() => {
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
}

test('a connection is reused by the next request', async () => {
  const ports: unknown[] = [];
  server?.play((response) => {
    ports.push(response.socket?.remotePort);
    response.end();
  });
  const connection = openConnection(server?.address ?? '', false);

  await send(30_000, connection);
  await new Promise(setImmediate);
  await send(30_000, connection);

  expect(ports).toEqual([ports[0], ports[0]]);
});

test.each([
  [{}, 'direct'],
  [{ NODE_USE_ENV_PROXY: '0' }, 'direct'],
  [{ NODE_USE_ENV_PROXY: '1' }, 'through the proxy'],
])('with %j a request goes %s', async (variables, text) => {
  server?.play(respondsWithText('direct'));
  proxy?.play(respondsWithText('through the proxy'));
  Object.assign(process.env, { HTTP_PROXY: `http://${proxy?.address ?? ''}` }, variables);

  expect(await send()).toEqual({ status: 200, text });
});

test.each<[string, Reaction]>([
  ['it is reset', resets],
  ['it breaks off within the response', breaksOff('{')],
])('a request may have arrived if %s', async (_what, reaction) => {
  server?.play(reaction);

  await expect(send()).rejects.toMatchObject({
    message: 'UNAVAILABLE: The connection failed.',
    cause: { message: expect.stringMatching(/ECONNRESET|socket hang up|aborted/) as string },
    wasNotSent: false,
  });
});

/** Sends the start of a body, and no more. */
const stops: Reaction = (response) => {
  response.writeHead(200, { 'Content-Length': 10 }).write('{');
};

test.each<[string, Reaction, msLeft: number, limitMs: number]>([
  ['no response begins', hangs, 30_000, 5_000],
  ['no response begins in most of the time that is left', hangs, 5_000, 3_000],
  ['a response stops', stops, 30_000, 4_000],
])('a request that may have arrived ends if %s', async (_what, reaction, msLeft, limitMs) => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  const reacted = Promise.withResolvers<undefined>();
  server?.play((response, request) => {
    reaction(response, request);
    reacted.resolve(undefined);
  });
  let isSettled = false;
  const failure = send(msLeft).catch((error: unknown) => {
    isSettled = true;
    return error;
  });
  await reacted.promise;
  // The first bytes of the response arrive.
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);

  jest.advanceTimersByTime(limitMs - 1);
  await new Promise(setImmediate);
  expect(isSettled).toBe(false);
  jest.advanceTimersByTime(1);

  expect(await failure).toMatchObject({
    status: 'UNAVAILABLE',
    cause: { message: `No data for ${limitMs} ms.` },
    wasNotSent: false,
  });
});

test('a refused connection has sent nothing', async () => {
  const gone = await startScriptedServer();
  await gone.stop();

  const refused = send(30_000, openConnection(gone.address, false));
  await expect(refused).rejects.toMatchObject({ wasNotSent: true });
});

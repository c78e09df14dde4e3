/** How connections are reused and fail, and when they go through a proxy. */
import { getEventListeners } from 'node:events';
import { connection } from '../../functions/src/firestore/connection.ts';
import {
  breaksOff,
  hangs,
  resets,
  respondsWithText,
  startScriptedServer,
  type Reaction,
  type ScriptedServer,
} from '../support/scriptedServer.ts';

let [server, proxy]: ScriptedServer[] = [];

beforeAll(async () => {
  [server, proxy] = [await startScriptedServer(), await startScriptedServer()];
});

afterAll(() => Promise.all([server?.stop(), proxy?.stop()]));

afterEach(() => {
  for (const name of ['HTTP_PROXY', 'NODE_USE_ENV_PROXY']) {
    Reflect.deleteProperty(process.env, name);
  }
});

/** Sends a request that ends with the signal, over a connection to the server. */
async function sendWith(
  controller: AbortController,
  msLeft = 30_000,
  send = connection(server?.address ?? '', false),
) {
  const { signal } = controller;
  return send('/path', [], '{}', { signal, msLeft }).finally(() => {
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
}

test('a connection is reused by the next request', async () => {
  const ports: unknown[] = [];
  server?.play((response) => {
    ports.push(response.socket?.remotePort);
    response.end();
  });
  const send = connection(server?.address ?? '', false);

  await sendWith(new AbortController(), 30_000, send);
  await new Promise(setImmediate);
  await sendWith(new AbortController(), 30_000, send);

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

  expect(await sendWith(new AbortController())).toEqual({ status: 200, text });
});

test.each<[string, Reaction, number, RegExp]>([
  ['it is reset', resets, 30_000, /ECONNRESET|socket hang up/],
  ['it breaks off within the response', breaksOff('{'), 30_000, /ECONNRESET|aborted/],
  ['no response begins in most of the time that is left', hangs, 100, /^No data for 60 ms\.$/],
])('a request may have arrived if %s', async (_what, reaction, msLeft, reason) => {
  server?.play(reaction);

  await expect(sendWith(new AbortController(), msLeft)).rejects.toMatchObject({
    status: 'UNAVAILABLE',
    message: 'UNAVAILABLE: The connection failed.',
    cause: { message: expect.stringMatching(reason) as string },
    wasNotSent: false,
  });
});

test('a request ends at the deadline', async () => {
  const controller = new AbortController();
  server?.play(() => {
    controller.abort(new Error('The deadline has passed.'));
  });

  await expect(sendWith(controller)).rejects.toMatchObject({
    cause: new Error('The deadline has passed.'),
  });
});

test('a refused connection has sent nothing', async () => {
  const gone = await startScriptedServer();
  await gone.stop();

  await expect(
    sendWith(new AbortController(), 30_000, connection(gone.address, false)),
  ).rejects.toMatchObject({ wasNotSent: true });
});

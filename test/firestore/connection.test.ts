/** How connections are reused, and when they go through a proxy. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connection } from '../../functions/src/firestore/connection.ts';

const servers: Server[] = [];
const VARIABLES = ['HTTP_PROXY', 'NODE_USE_ENV_PROXY'];

afterEach(() => {
  for (const name of VARIABLES) Reflect.deleteProperty(process.env, name);
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** A server that responds with a text, and counts its connections. */
async function serve(text: string) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end(text));
  });
  servers.push(server);
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { address, connections: () => connections };
}

async function textFrom(send: ReturnType<typeof connection>): Promise<string> {
  const { signal } = new AbortController();
  return (await send('/path', [], '{}', { signal, msLeft: 30_000 })).text;
}

test('a connection is reused by the next request', async () => {
  const { address, connections } = await serve('direct');
  const send = connection(address, false);

  await textFrom(send);
  await new Promise(setImmediate);
  await textFrom(send);

  expect(connections()).toBe(1);
});

test.each([
  [{}, 'direct'],
  [{ NODE_USE_ENV_PROXY: '0' }, 'direct'],
  [{ NODE_USE_ENV_PROXY: '1' }, 'through the proxy'],
])('with %j a request goes %s', async (variables, way) => {
  const proxy = await serve('through the proxy');
  const { address } = await serve('direct');
  Object.assign(process.env, { HTTP_PROXY: `http://${proxy.address}` }, variables);

  expect(await textFrom(connection(address, false))).toBe(way);
});

test('most of the time that is left may pass before a response begins', async () => {
  const silent = createServer();
  servers.push(silent);
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const send = connection(`127.0.0.1:${(silent.address() as AddressInfo).port}`, false);
  const { signal } = new AbortController();

  await expect(send('/path', [], '{}', { signal, msLeft: 100 })).rejects.toMatchObject({
    wasNotSent: false,
    cause: new Error('No data for 60 ms.'),
  });
});

test('a refused connection has sent nothing', async () => {
  const { address } = await serve('');
  servers.at(-1)?.close();
  const { signal } = new AbortController();

  await expect(
    connection(address, false)('/path', [], '{}', { signal, msLeft: 30_000 }),
  ).rejects.toMatchObject({ wasNotSent: true });
});

/**
 * What the Functions Framework does to a function that changes nothing in it. Each test names the function in
 * `functions/src/platform` that is no longer needed when the test fails.
 */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePortList, LOOPBACK } from '../../dev/ports.ts';
import { startServer } from '../../dev/childProcess.ts';

const BARE = `
exports.bare = (request, response) => {
  if (request.path === '/slow') setTimeout(() => response.send('late'), 500);
  else response.json({ hasDomain: 'domain' in process });
};`;

const { resolve } = createRequire(join(process.cwd(), 'functions/package.json'));
const framework = join(dirname(resolve('@google-cloud/functions-framework')), 'main.js');
let folder: string;
let port: number;
let server: Awaited<ReturnType<typeof startServer>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bare-'));
  await writeFile(join(folder, 'index.js'), BARE);
  [port = 0] = await freePortList(1);
  server = await startServer(
    'The bare framework',
    port,
    process.execPath,
    [framework, '--source', folder, '--target', 'bare'],
    {
      cwd: folder,
      env: { NODE_ENV: 'production', PORT: String(port) },
      onLine: () => undefined,
    },
  );
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

/** Sends a request byte for byte, and returns all that comes back. */
async function exchange(...lines: readonly string[]): Promise<string> {
  const socket = connect(port, LOOPBACK);
  socket.write([...lines, 'Host: service', 'Connection: close', '', ''].join('\r\n'));
  if (lines.length > 1) socket.write('{');
  return text(socket);
}

test('responds to malformed JSON with a page of HTML: hideBody', async () => {
  const response = await exchange(
    'POST / HTTP/1.1',
    'Content-Type: application/json',
    'Content-Length: 1',
  );

  expect(response).toContain('HTTP/1.1 400');
  expect(response).toContain('<!DOCTYPE html>');
});

test('runs each request in a domain, which slows every promise: disableDomains', async () => {
  expect(await exchange('GET / HTTP/1.1')).toContain('"hasDomain":true');
});

test('does not finish a request in progress on SIGTERM: finishOnSigterm', async () => {
  const slow = exchange('GET /slow HTTP/1.1').catch(() => 'reset');
  const socket = connect(port, LOOPBACK);
  await once(socket, 'connect');
  socket.destroy();

  process.kill(server.pid, 'SIGTERM');

  expect(await slow).not.toContain('late');
});

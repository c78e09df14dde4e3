/**
 * Tests `npm start` after a clone and `npm ci --ignore-scripts`: it builds and serves, reloads changes, and frees its ports. It
 * stops when the reader of its output ends.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { copyRepository } from '../test/support/processes/copyRepository.ts';
import { startChild } from './childProcess.ts';
import { LOOPBACK, getPortsWithOffset, assertPortsFree } from './ports.ts';

// Timeout of the test: the start of the stack takes minutes on a busy machine.
const TIMEOUT_MS = 3 * 60_000;
jest.setTimeout(TIMEOUT_MS + 30_000);

const POLL_MS = 100;

/** A copy of the repository for the tests of this file. */
let folder: string;

beforeAll(async () => {
  folder = await copyRepository('start');
});

afterAll(() => rm(folder, { recursive: true }));

test('npm start stops like Ctrl-C when the reader of its output ends', async () => {
  const offset = String(randomInt(12_000, 20_000));
  const args = ['dev/start.ts', '--port-offset', offset];
  const program = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const errors = text(program.stderr);
  // As `head -1` does.
  program.stdout.once('data', () => program.stdout.destroy());

  expect([await once(program, 'exit'), await errors]).toEqual([[0, null], '']);
  expect(globSync(['.stack-*.json', '.hosting/*'], { cwd: folder })).toEqual([]);
  await assertPortsFree(getPortsWithOffset(offset));
});

/** Creates a folder with a `node` that cannot load the functions, as of a shell with an old version. */
async function createOldNode(): Promise<string> {
  const bin = join(folder, 'old-node');
  await mkdir(bin);
  const script = `#!/bin/sh
case "$1" in *firebase-functions*) exit 1 ;; esac
exec "${process.execPath}" "$@"
`;
  await writeFile(join(bin, 'node'), script, { mode: 0o755 });
  return bin;
}

test('npm start serves the client package and reloads changes; on a compile error it reports the error and keeps serving the previous version', async () => {
  const offset = String(randomInt(12_000, 20_000));
  const origin = `http://${LOOPBACK}:${getPortsWithOffset(offset).hosting}`;
  const lines: string[] = [];
  const program = startChild(process.execPath, ['dev/start.ts', '--port-offset', offset], {
    cwd: folder,
    env: { ...process.env, PATH: [await createOldNode(), process.env.PATH].join(delimiter) },
    onLine: (line) => lines.push(line),
  });
  const edit = async (name: string, before: string, after: string) => {
    const path = join(folder, name);
    const text = await readFile(path, 'utf8');
    expect(text).toContain(before);
    await writeFile(path, text.replace(before, after));
  };
  // After the timeout, the test still stops the stack.
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const pause = () => delay(POLL_MS, undefined, { signal });
  const waitForOutput = async (text: string) => {
    while (!lines.some((line) => line.includes(text))) await pause();
  };
  const fetchText = async (path: string) => (await fetch(`${origin}${path}`)).text();
  const waitForContent = async (path: string, text: string) => {
    while (!(await fetchText(path)).includes(text)) await pause();
  };
  const ENDPOINT = 'functions/src/flash/listByArtist.ts';
  const CALL = '/api/flash/artist/alice/paginated?limit=0';
  try {
    await waitForOutput('The service is running.');
    const [client = ''] = /client-[^\\]*\.tgz/.exec(await fetchText('/openapi.json')) ?? [];
    const packed = await (await fetch(`${origin}/${client}`)).bytes();
    expect(gunzipSync(packed).toString()).toContain('package/dist/esm/index.js');

    await edit('public/index.html', '<title>', '<title>Changed ');
    await waitForContent('/', '<title>Changed ');

    await edit(ENDPOINT, 'maxLimit: 50', 'maxLimit: 40');
    await waitForContent(CALL, 'from 1 to 40');

    await edit(ENDPOINT, 'maxLimit: 40', 'maxLimit: = 30');
    await waitForOutput('[ERROR] Unexpected "="');
    expect(await fetchText(CALL)).toContain('from 1 to 40');
    await edit('demo/app/main.tsx', 'import', '=');
    await waitForOutput('main.tsx:1:0: ERROR: Unexpected "="');
    expect(await fetchText('/demo/main.js')).toContain('/demo/local.json');
  } finally {
    await program.stop();
  }
  await assertPortsFree(getPortsWithOffset(offset));
});

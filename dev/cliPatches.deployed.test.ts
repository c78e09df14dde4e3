import { EventEmitter, once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rawRequest } from './shared/rawRequest.ts';
import type { Child } from './childProcess.ts';
import { emulatorsAt, startEmulators } from './emulators.ts';
import { freePortList, LOOPBACK } from './ports.ts';
import { ROOT } from './root.ts';

/** The emulator finds these functions, but the process that loads `broken` ends. */
const SOURCE = `
  const { onRequest } = require('firebase-functions/https');
  if (process.env.FUNCTION_TARGET === 'broken') throw new Error('no such planet');
  const handler = (request, response) => response.send('done');
  for (const name of ['broken', 'works']) exports[name] = onRequest(handler);
`;

const LOADED = 'The rewrites of firebase.json were loaded.';

let folder: string;
let config: string;
let emulators: Child | undefined;
let origin: string;
const log: string[] = [];
const logged = new EventEmitter();

/** Writes a firebase.json in which these paths lead to functions of the same name. */
async function writeRewrites(paths: readonly string[], emulators?: object): Promise<void> {
  const rewrites = paths.map((name) => ({ source: `/${name}`, function: { functionId: name } }));
  const functions = [{ source: '.', codebase: 'default', runtime: 'nodejs24' }];
  const hosting = { public: 'public', rewrites };
  await writeFile(config, JSON.stringify({ functions, hosting, emulators }));
}

beforeAll(async () => {
  // In this folder, so that the emulator finds the packages of the project.
  const cache = join(ROOT, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, 'patches-'));
  config = join(folder, 'firebase.json');
  const [functions = 0, hosting = 0] = await freePortList(2);
  origin = `http://${LOOPBACK}:${hosting}`;
  const packageJson = { main: 'index.cjs', dependencies: { 'firebase-functions': '*' } };
  await writeRewrites(['broken'], await emulatorsAt({ functions, hosting }));
  await writeFile(join(folder, 'package.json'), JSON.stringify(packageJson));
  await writeFile(join(folder, 'index.cjs'), SOURCE);
  emulators = await startEmulators({
    projectId: 'demo-patches',
    config,
    source: config,
    emulators: ['functions', 'hosting'],
    firestoreHost: `${LOOPBACK}:1`,
    signal: new AbortController().signal,
    onLog: (line) => {
      log.push(line);
      logged.emit(line);
    },
  });
});

afterAll(async () => {
  await emulators?.stop();
  await rm(folder, { recursive: true, force: true });
});

test('a call of a function whose process ends while it loads fails, and the log says why', async () => {
  const { status, text } = await rawRequest(origin, '/broken');

  expect([status, text]).toEqual([
    500,
    expect.stringMatching(/^The function could not be started/),
  ]);
  expect(log.join('\n')).toContain('no such planet');
});

test('a rewrite that is added to firebase.json leads to its function', async () => {
  expect(await rawRequest(origin, '/works')).toMatchObject({ status: 404 });

  await Promise.all([once(logged, LOADED), writeRewrites(['broken', 'works'])]);

  expect(await rawRequest(origin, '/works')).toMatchObject({ status: 200, text: 'done' });
});

/** A function of the Functions emulator whose process ends while it loads. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rawRequest } from './shared/rawRequest.ts';
import type { Child } from './childProcess.ts';
import { emulatorsAt, startEmulators } from './emulators.ts';
import { freePortList, LOOPBACK } from './ports.ts';
import { ROOT } from './root.ts';

const PROJECT = 'demo-start-failure';

/** The emulator finds these functions, but the process that loads `broken` ends. */
const SOURCE = `
  const { onRequest } = require('firebase-functions/https');
  if (process.env.FUNCTION_TARGET === 'broken') throw new Error('no such planet');
  const handler = (request, response) => response.send('done');
  for (const name of ['broken', 'works']) exports[name] = onRequest(handler);
`;

let folder: string;
let emulator: Child | undefined;
let origin: string;
const log: string[] = [];

beforeAll(async () => {
  // In this folder, so that the emulator finds the packages of the project.
  const cache = join(ROOT, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, 'start-failure-'));
  const [port = 0] = await freePortList(1);
  origin = `http://${LOOPBACK}:${port}`;
  const config = {
    functions: [{ source: '.', codebase: 'default', runtime: 'nodejs24' }],
    emulators: await emulatorsAt({ functions: port }),
  };
  const packageJson = { main: 'index.cjs', dependencies: { 'firebase-functions': '*' } };
  await writeFile(join(folder, 'firebase.json'), JSON.stringify(config));
  await writeFile(join(folder, 'package.json'), JSON.stringify(packageJson));
  await writeFile(join(folder, 'index.cjs'), SOURCE);
  emulator = await startEmulators({
    projectId: PROJECT,
    config: join(folder, 'firebase.json'),
    emulators: ['functions'],
    firestoreHost: `${LOOPBACK}:1`,
    signal: new AbortController().signal,
    onLog: (line) => log.push(line),
  });
});

afterAll(async () => {
  await emulator?.stop();
  await rm(folder, { recursive: true, force: true });
});

function call(name: string) {
  return rawRequest(origin, `/${PROJECT}/us-central1/${name}`);
}

test('a call of a function whose process ends while it loads fails, and the log says why', async () => {
  await expect(call('broken')).rejects.toThrow('The function could not be started');
  expect(log.join('\n')).toContain('no such planet');
  expect(await call('works')).toMatchObject({ status: 200, text: 'done' });
});

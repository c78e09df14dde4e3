/** A function of the Functions emulator whose process ends while it loads. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rawRequest } from '../support/rawRequest.ts';
import type { Child } from './childProcess.ts';
import { at, internalPorts, startEmulators } from './emulators.ts';
import { freePortList, LOOPBACK } from './ports.ts';
import { ROOT } from './root.ts';

const PROJECT = 'demo-start-failure';

/** The emulator finds these functions, but the process that loads `throws` or `exits` ends. */
const SOURCE = `
  const { onRequest } = require('firebase-functions/https');
  if (process.env.FUNCTION_TARGET === 'throws') throw new Error('no such planet');
  if (process.env.FUNCTION_TARGET === 'exits') process.exit(7);
  const handler = (request, response) => response.send('done');
  for (const name of ['throws', 'exits', 'works']) exports[name] = onRequest(handler);
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
    emulators: { ...(await internalPorts()), functions: at(port), ui: { enabled: false } },
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

test.each([
  ['throws', 'no such planet'],
  ['exits', 'its process ended (7)'],
])('a call fails, and the log says why, if the process %s while it loads', async (name, said) => {
  await expect(call(name)).rejects.toThrow('The function could not be started');
  expect(log.join('\n')).toContain(said);
});

test('other functions can still be called', async () => {
  expect(await call('works')).toMatchObject({ status: 200, text: 'done' });
});

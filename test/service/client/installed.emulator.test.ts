/** The client installed in an empty app from Hosting, with `import` and `require`. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testStack } from '../../support/stack.ts';

const { baseAddress: baseUrl } = testStack();
const HOSTED = new URL('/client.tgz', baseUrl).href;

const CALL = `
  const api = createMarketplaceClient({ baseUrl: '${baseUrl}' });
  api.artists.list().then((artists) => console.log(artists.length));
`;
const IMPORT = `import { createMarketplaceClient } from '@tattoo-marketplace/client';`;
const REQUIRE = `const { createMarketplaceClient } = require('@tattoo-marketplace/client');`;

/** The project that has installed it from Hosting. */
let project: string;

beforeAll(async () => {
  project = await projectWith(HOSTED);
});

afterAll(() => rm(project, { recursive: true }));

/** An empty project in a folder of its own that has installed the client. */
async function projectWith(source: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'client-'));
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await run(folder, 'npm', 'install', '--no-audit', '--no-fund', source);
  return folder;
}

/** Runs a program in a project; throws with what it prints if it fails. */
async function run(folder: string, command: string, ...args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { cwd: folder })).stdout;
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout, { cause: error });
  }
}

/** Calls the service from a project, by import and by require; gives how many artists each got. */
async function callsFrom(folder: string): Promise<number[]> {
  await writeFile(join(folder, 'call.mjs'), IMPORT + CALL);
  await writeFile(join(folder, 'call.cjs'), REQUIRE + CALL);
  return Promise.all(
    ['call.mjs', 'call.cjs'].map(async (file) => Number(await run(folder, process.execPath, file))),
  );
}

test('is installed from Hosting, and called by import and by require', async () => {
  expect(Math.min(...(await callsFrom(project)))).toBeGreaterThan(0);
});

test('has types for ES modules and CommonJS, with old and new module resolution', async () => {
  const code = `${IMPORT}
    export const first: Promise<string | undefined> = createMarketplaceClient({ baseUrl: '' })
      .artists.list().then((artists) => artists[0]?.id);
  `;
  await writeFile(join(project, 'module.mts'), code);
  await writeFile(join(project, 'common.cts'), code);
  const tsc = createRequire(__filename).resolve('typescript/bin/tsc');
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const check = (...options: string[]) =>
    run(project, process.execPath, tsc, '--noEmit', ...strict, ...options);

  expect(await check('--module', 'nodenext', 'module.mts', 'common.cts')).toBe('');
  expect(await check('--module', 'esnext', '--moduleResolution', 'bundler', 'module.mts')).toBe('');
});

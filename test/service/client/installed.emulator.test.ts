/** The client installed in an empty app: from Hosting and from the folder, with `import` and `require`. */
import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { testStack } from '../../support/stack.ts';

const { baseAddress: baseUrl } = testStack();
const HOSTED = new URL('/client.tgz', baseUrl).href;
const FOLDER = resolve('public/client');

const CALL = `
  const api = createMarketplaceClient({ baseUrl: '${baseUrl}' });
  api.artists.list().then((artists) => console.log(artists.length));
`;
const IMPORT = `import { createMarketplaceClient } from '@tattoo-marketplace/client';`;
const REQUIRE = `const { createMarketplaceClient } = require('@tattoo-marketplace/client');`;

let project: string;

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'client-'));
  await writeFile(join(project, 'package.json'), '{ "private": true }');
});

afterEach(() => rm(project, { recursive: true }));

/** Runs a program in the project; throws its output if it fails. */
async function run(command: string, ...args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { cwd: project })).stdout;
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout, { cause: error });
  }
}

async function install(source: string): Promise<void> {
  await run('npm', 'install', '--no-audit', '--no-fund', source);
}

test.each([
  ['from Hosting', HOSTED],
  ['from the folder', FOLDER],
])('can be installed %s, imported and required', async (_name, source) => {
  await install(source);
  await writeFile(join(project, 'call.mjs'), IMPORT + CALL);
  await writeFile(join(project, 'call.cjs'), REQUIRE + CALL);

  expect(Number(await run(process.execPath, 'call.mjs'))).toBeGreaterThan(0);
  expect(Number(await run(process.execPath, 'call.cjs'))).toBeGreaterThan(0);
});

test('has types for ES modules and CommonJS, with old and new module resolution', async () => {
  await install(HOSTED);
  const code = `${IMPORT}
    export const first: Promise<string | undefined> = createMarketplaceClient({ baseUrl: '' })
      .artists.list().then((artists) => artists[0]?.id);
  `;
  await writeFile(join(project, 'module.mts'), code);
  await writeFile(join(project, 'common.cts'), code);
  const tsc = createRequire(__filename).resolve('typescript/bin/tsc');
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const check = (...options: string[]) =>
    run(process.execPath, tsc, '--noEmit', ...strict, ...options);

  expect(await check('--module', 'nodenext', 'module.mts', 'common.cts')).toBe('');
  expect(await check('--module', 'esnext', '--moduleResolution', 'bundler', 'module.mts')).toBe('');
});

test('is tree-shakable: a bundle only has what the app uses', async () => {
  await install(HOSTED);

  const { outputFiles } = await build({
    stdin: {
      contents: `export { MarketplaceError } from '@tattoo-marketplace/client';`,
      resolveDir: project,
    },
    bundle: true,
    format: 'esm',
    write: false,
  });

  expect(outputFiles[0]?.text).toContain('MarketplaceError');
  expect(outputFiles[0]?.text).not.toContain('/flash/reorder');
});

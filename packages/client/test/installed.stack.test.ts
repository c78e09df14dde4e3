/** The client, installed from Hosting in an empty app. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { getTestStack } from '../../../test/support/processes/testStack.ts';

const { baseAddress: baseUrl } = getTestStack();

const IMPORT = `import { createMarketplaceClient } from '@tattoo-marketplace/client';`;
const REQUIRE = `const { createMarketplaceClient } = require('@tattoo-marketplace/client');`;
const CALL = `
  const api = createMarketplaceClient({ baseUrl: '${baseUrl}' });
  api.artists.list().then((artists) => console.log(artists.length));
`;
const TYPED_CALLS = `import { createMarketplaceClient, pages } from '@tattoo-marketplace/client';
  const api = createMarketplaceClient({ baseUrl: '' });
  export const first: Promise<string | undefined> =
    api.artists.list().then((artists) => artists[0]?.id);
  export const listings = pages(api.flash.listByArtist, { id: 'a', limit: 5 });
  // @ts-expect-error There is no such parameter.
  pages(api.flash.listByArtist, { id: 'a', limits: 5 });
`;
const STRICT_OPTIONS = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
const BUNDLER_OPTIONS = [
  '--module',
  'esnext',
  '--target',
  'es2022',
  '--moduleResolution',
  'bundler',
];

/** Syntax of declarations that TypeScript 5.0 does not support: `NoInfer` and import attributes. */
const NEWER_THAN_5_0 = /\bNoInfer<|\bwith \{/;

/** The folder of an empty project in which the client is installed. */
let project: string;
/** The folder of the installed client. */
let client: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'client-'));
  client = join(project, 'node_modules/@tattoo-marketplace/client');
  await writeFile(join(project, 'package.json'), '{ "private": true }');
  await run(...(await readInstallCommand()), '--no-audit', '--no-fund');
  const files = {
    'call.mjs': IMPORT + CALL,
    'call.cjs': REQUIRE + CALL,
    'module.mts': TYPED_CALLS,
    'common.cts': TYPED_CALLS,
  };
  for (const [name, code] of Object.entries(files)) await writeFile(join(project, name), code);
});

afterAll(() => rm(project, { recursive: true }));

/** Reads the documented command that installs the client, with the address of this stack. */
async function readInstallCommand(): Promise<[string, ...string[]]> {
  const document = await fetch(new URL('/openapi.json', baseUrl));
  const { info } = (await document.json()) as { info: { description: string } };
  const [command = ''] = /npm install .*client-\S+\.tgz/.exec(info.description) ?? [];
  const [program = '', ...args] = command
    .replace('https://PROJECT.web.app', new URL(baseUrl).origin)
    .split(' ');
  return [program, ...args];
}

/** Runs a program in the project. If it fails, throws an error with its output. */
async function run(command: string, ...args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { cwd: project })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${args.join(' ')} failed.\n${stdout}${stderr}`, { cause: error });
  }
}

async function compile(...options: string[]): Promise<string> {
  const tsc = resolve('node_modules/typescript/bin/tsc');
  return run(process.execPath, tsc, '--noEmit', ...STRICT_OPTIONS, ...options);
}

test.each(['call.mjs', 'call.cjs'])('calls the service from %s', async (file) => {
  expect(Number(await run(process.execPath, file))).toBeGreaterThan(0);
});

test('is installed again by npm ci, with the documented line in .npmrc', async () => {
  const app = join(project, 'app');
  await mkdir(app);
  for (const file of ['package.json', 'package-lock.json'])
    await cp(join(project, file), join(app, file));
  await writeFile(join(app, '.npmrc'), 'allow-remote=root\n');
  await run('npm', 'ci', '--no-audit', '--no-fund', '--prefix', app);

  expect(await readdir(join(app, 'node_modules/@tattoo-marketplace'))).toEqual(['client']);
});

test('has types for ES modules and CommonJS, with old and new module resolution', async () => {
  expect(await compile('--module', 'nodenext', 'module.mts', 'common.cts')).toBe('');
  expect(await compile(...BUNDLER_OPTIONS, 'module.mts')).toBe('');
});

test('has types that TypeScript 5.0 supports', async () => {
  const folder = join(client, 'dist/esm');
  const declarations = (await readdir(folder)).filter((name) => name.endsWith('.d.ts'));

  expect(declarations).toContain('index.d.ts');
  for (const name of declarations) {
    expect(await readFile(join(folder, name), 'utf8')).not.toMatch(NEWER_THAN_5_0);
  }
});

test('has hooks that an app can copy unchanged', async () => {
  await cp(join(client, 'react'), join(project, 'hooks'), { recursive: true });
  await mkdir(join(project, 'node_modules/@types'));
  for (const name of ['react', '@types/react', 'csstype']) {
    await symlink(resolve('node_modules', name), join(project, 'node_modules', name), 'junction');
  }
  const files = (await readdir(join(project, 'hooks'))).map((name) => `hooks/${name}`);

  expect(files).toContain('hooks/lists.ts');
  // Apps often have no newer library of JavaScript than that of their target.
  expect(await compile(...BUNDLER_OPTIONS, '--allowImportingTsExtensions', ...files)).toBe('');
});

/** The build of the functions of this repository. */
import { execFile } from 'node:child_process';
import { mkdtemp, open, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toFunctionTarget } from '@tattoo-marketplace/endpoints';
import { buildFunctions } from '../dev/functionsBuild.ts';
import { ROOT } from '../dev/root.ts';
import { endpoints } from './service.ts';

const run = promisify(execFile);

let folder: string;
let bundle: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'build-'));
  bundle = join(folder, 'functions.cjs');
  // The bundle of a function that no longer exists.
  await writeFile(join(folder, 'flash.removed.cjs'), '');
  await buildFunctions(folder);
});

afterAll(() => rm(folder, { recursive: true }));

test('a build keeps the old bundle for a process that has opened it, and leaves no temporary file', async () => {
  await writeFile(bundle, 'the old bundle');
  const openFile = await open(bundle);
  try {
    await buildFunctions(folder);

    // Only the start: a failure message with the bundle would be megabytes long.
    expect((await openFile.readFile('utf8')).slice(0, 100)).toBe('the old bundle');
    expect((await readFile(bundle, 'utf8')).slice(0, 100)).not.toBe('the old bundle');
    expect((await readdir(folder)).filter((file) => !/\.cjs(\.map)?$/.test(file))).toEqual([]);
  } finally {
    await openFile.close();
  }
});

test.each([
  { name: 'the Firebase CLI loads all functions', target: '', file: 'functions.cjs' },
  {
    name: 'a process loads the function that it serves',
    target: 'flash.reorder',
    file: 'flash.reorder.cjs',
  },
  {
    name: 'a process loads all functions to serve one without a bundle',
    target: 'own.reorder',
    file: 'functions.cjs',
  },
  {
    name: 'a process loads all functions if an option may name another function',
    target: 'flash.reorder',
    options: ['--target=flash.listByArtist'],
    file: 'functions.cjs',
  },
])('$name, but not the Admin SDK', async ({ target, options = [], file }) => {
  const index = join(folder, 'index.cjs');
  const print = `require(${JSON.stringify(index)}); Object.keys(require.cache).join()`;
  const env = { ...process.env, FUNCTION_TARGET: target, GCLOUD_PROJECT: 'p' };

  const { stdout } = await run(process.execPath, ['--print', print, '--', ...options], { env });

  expect(stdout.trim()).toBe(`${await realpath(index)},${await realpath(join(folder, file))}`);
});

test.each([
  { name: 'a signed-in endpoint loads the Admin SDK', target: 'flash.reorder', loads: true },
  { name: 'a public endpoint does not', target: 'flash.listByArtist', loads: false },
])('before its first request, a deployed process of $name', async ({ target, loads }) => {
  const index = JSON.stringify(join(folder, 'index.cjs'));
  const print = `require(${index}); setImmediate(() => console.log(Object.keys(require.cache).join()))`;
  const variables = { K_SERVICE: 'service', GCLOUD_PROJECT: 'p', GCE_METADATA_HOST: '127.0.0.1:1' };
  const env = { ...process.env, ...variables, FUNCTION_TARGET: target };

  const { stdout } = await run(process.execPath, ['--eval', print], { env });

  expect(stdout.includes('firebase-admin.cjs')).toBe(loads);
});

test('each endpoint has a bundle of its own, and a removed function leaves none', async () => {
  const bundles = (await readdir(folder)).filter((file) => /\..*\.cjs$/.test(file));
  // A missing one: index.ts must import flash.reorder from ./flash/reorder.ts, which exports it as reorder.
  expect(bundles).toEqual(
    endpoints.map(({ functionId }) => `${toFunctionTarget(functionId)}.cjs`).sort(),
  );
});

test('npm audit --omit=dev in the root folder checks every package in the bundle', async () => {
  const map = JSON.parse(await readFile(`${bundle}.map`, 'utf8')) as { sources: string[] };
  const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: true } | undefined>;
  };

  // The path in the lock file. A copy of the repository has only links to its packages.
  const packagePath =
    /(?:(?:packages\/[^/]+|functions)\/)?node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/;
  const packages = [
    ...new Set(map.sources.flatMap((source) => packagePath.exec(source)?.[0] ?? [])),
  ];

  expect(packages).toContain('node_modules/zod');
  expect(packages.filter((path) => lock.packages[path]?.dev !== undefined)).toEqual([]);
  expect(packages.filter((path) => !(path in lock.packages))).toEqual([]);
});

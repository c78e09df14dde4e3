/** The build of the bundle, with the functions of this repository and with functions that others add. */
import { execFile } from 'node:child_process';
import {
  cp,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { toFunctionTarget } from '@tattoo-marketplace/endpoints';
import { startChild } from '../dev/childProcess.ts';
import { buildFunctions, loadFunctionsManifest, FUNCTIONS } from '../dev/functionsBuild.ts';
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

describe('a copy of the functions', () => {
  let copy: string;

  beforeEach(async () => {
    // Node resolves packages from the root folder.
    const cache = join(ROOT, 'node_modules/.cache');
    await mkdir(cache, { recursive: true });
    copy = await mkdtemp(join(cache, 'functions-'));
    for (const path of ['build.js', 'package.json', 'src']) {
      await cp(join(FUNCTIONS, path), join(copy, path), { recursive: true });
    }
    await cp(join(ROOT, 'examples/triggers'), join(copy, 'src/triggers'), { recursive: true });
    const trigger = join(copy, 'src/triggers/countMessage.ts');
    const code = await readFile(trigger, 'utf8');
    await writeFile(trigger, code.replace('../../functions/src/', '../'));
    // npm installs a package there if the root folder has another version of it.
    await symlink(join(FUNCTIONS, 'node_modules'), join(copy, 'node_modules'), 'junction');
  });

  afterEach(() => rm(copy, { recursive: true }));

  /** Builds the copy with this source of `index.ts`. */
  async function build(deployMap: string): Promise<void> {
    await writeFile(join(copy, 'src/index.ts'), deployMap);
    await run(process.execPath, [join(copy, 'build.js')]);
  }

  /**
   * Evaluates an expression in a process that serves `target`. `index` in the expression refers to the functions.
   */
  async function evaluate(
    expression: string,
    target = '',
    options: readonly string[] = [],
  ): Promise<unknown> {
    const index = JSON.stringify(join(copy, 'lib/index.cjs'));
    const print = `const index = require(${index}); JSON.stringify(${expression})`;
    const variables = { GCLOUD_PROJECT: 'p', METADATA_SERVER_DETECTION: 'none' };
    const env = { ...process.env, ...variables, FUNCTION_TARGET: target };
    const args = ['--print', print, '--', ...options];
    return JSON.parse((await run(process.execPath, args, { env })).stdout);
  }

  test('deploys other functions, and runs them in the unmodified framework', async () => {
    await build(`
      import { onSchedule } from 'firebase-functions/scheduler';
      import { reorder } from './flash/reorder.ts';
      export const own = { nightly: onSchedule('every day 03:00', () => undefined), reorder };`);

    expect(await loadFunctionsManifest(copy)).toMatchObject({
      endpoints: { 'own-nightly': { scheduleTrigger: { schedule: 'every day 03:00' } } },
    });
    const isPrepared = `require('node:diagnostics_channel').hasSubscribers('http.server.request.start')`;
    expect(await evaluate(isPrepared, 'own.nightly')).toBe(false);
    expect(await evaluate(isPrepared, 'own.reorder')).toBe(true);
    // Like in the framework, the option overrides the variable.
    expect(await evaluate(isPrepared, 'own.nightly', ['--target=own.reorder'])).toBe(true);
    expect(await evaluate(isPrepared, 'own.nightly', ['--target', 'own.reorder'])).toBe(true);
    expect(await evaluate(isPrepared, 'own.reorder', ['--target=own.nightly'])).toBe(false);
  });

  test('is not built if the file of a function does not export it', async () => {
    await writeFile(join(copy, 'src/flash/reorder.ts'), 'export const sort = () => undefined;');

    await expect(
      build(`import { sort } from './flash/reorder.ts'; export const flash = { sort };`),
    ).rejects.toThrow(/No matching export in "src\/flash\/reorder.ts" for import "reorder"/);
  });

  test('is not built with two copies of firebase-admin', async () => {
    const admin = join(copy, 'src/node_modules/firebase-admin');
    await mkdir(admin, { recursive: true });
    await writeFile(join(admin, 'package.json'), '{"exports":{"./app":"./app.js"}}');
    await writeFile(join(admin, 'app.js'), 'exports.getApps = () => [];');

    await expect(
      build(`import { getApps } from 'firebase-admin/app'; export const count = getApps().length;`),
    ).rejects.toThrow(/imports a second copy of firebase-admin: .*Install one version/);
  });

  test('is not built if firebase-admin needs a package that is not installed', async () => {
    const packages = join(copy, 'node_modules');
    await rm(packages);
    const files = {
      'firebase-admin/index.js': '',
      'firebase-admin/storage.js': `try { require('missing-one'); } catch { /* reported later */ }`,
      '@tattoo-marketplace/endpoints/index.js': 'exports.startProcess = () => undefined;',
      '@tattoo-marketplace/endpoints/build.mjs': `export * from ${JSON.stringify(join(ROOT, 'packages/endpoints/build/bundle.js'))};`,
      '@tattoo-marketplace/endpoints/package.json': `{"exports":{".":"./index.js","./build":"./build.mjs"}}`,
    };
    for (const [path, source] of Object.entries(files)) {
      await mkdir(dirname(join(packages, path)), { recursive: true });
      await writeFile(join(packages, path), source);
    }

    await expect(build(`export * from 'firebase-admin/storage.js';`)).rejects.toThrow(
      /firebase-admin\/storage\.js needs the package missing-one, which is not installed/,
    );
  });

  test('deploys the triggers and the schedule of examples/triggers', async () => {
    await build(`
      import { countMessage } from './triggers/countMessage.ts';
      export { removePastEvents } from './triggers/removePastEvents.ts';
      export { removePhotoFile } from './triggers/removePhotoFile.ts';
      export const notifications = { countMessage };`);

    const { endpoints } = (await loadFunctionsManifest(copy)) as { readonly endpoints: object };
    expect(endpoints).toEqual({
      'notifications-countMessage': expect.objectContaining({
        eventTrigger: expect.anything() as unknown,
      }) as unknown,
      removePastEvents: expect.objectContaining({
        scheduleTrigger: expect.objectContaining({ schedule: 'every day 04:00' }) as unknown,
      }) as unknown,
      removePhotoFile: expect.objectContaining({
        eventTrigger: expect.anything() as unknown,
      }) as unknown,
    });
  });

  test('is not built if esbuild would drop the exports of a module', async () => {
    await writeFile(join(copy, 'src/own.js'), `exports.nightly = () => 'done';`);

    await expect(build(`export * from './own.js';`)).rejects.toThrow(
      /treated as a global variable/,
    );
  });

  test('is built again after each change with --watch, even after a build error', async () => {
    const index = join(copy, 'src/index.ts');
    const { promise: firstLine, resolve } = Promise.withResolvers<string>();
    const timeout = AbortSignal.timeout(60_000);
    timeout.onabort = () => {
      resolve('no output');
    };
    await writeFile(index, `export const version = 'old';`);
    const args = [join(copy, 'build.js'), '--watch'];
    const watcher = startChild(process.execPath, args, { cwd: copy, onLine: resolve });
    const expectVersion = async (expected: string) => {
      let version: unknown;
      while (version !== expected && !timeout.aborted) {
        version = await evaluate('index.version').catch(() => undefined);
      }
      expect(version).toBe(expected);
    };
    try {
      await expectVersion('old');
      await writeFile(index, `export const version = ;`);
      expect(await firstLine).toContain('[ERROR] Unexpected ";"');
      await writeFile(index, `export const version = 'new';`);
      await expectVersion('new');
    } finally {
      await watcher.stop();
    }
  });

  test('shares one copy of firebase-admin and of its dependencies between all imports', async () => {
    await build(`
      import { initializeApp } from 'firebase-admin';
      import { getApps } from 'firebase-admin/app';
      import { getFirestore, Timestamp } from 'firebase-admin/firestore';
      import { getMessaging } from 'firebase-admin/messaging';
      import { Firestore, Timestamp as PackageTimestamp } from '@google-cloud/firestore';
      initializeApp();
      export const results = [
        getApps().length,
        Timestamp === PackageTimestamp,
        getFirestore() instanceof Firestore,
        typeof getMessaging().send,
      ];`);

    expect(await evaluate('index.results')).toEqual([1, true, true, 'function']);
  });

  test('is reported with file and line if it cannot be loaded', async () => {
    await build(`\n\nthrow new Error('no such planet');`);

    await expect(loadFunctionsManifest(copy)).rejects.toThrow(
      new RegExp(`no such planet[^]*${RegExp.escape(join(copy, 'src/index.ts'))}:3:7`),
    );
  });
});

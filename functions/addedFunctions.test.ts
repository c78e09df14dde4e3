/** The build of functions that others add, in copies of the functions' package. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startChild } from '../dev/childProcess.ts';
import { loadFunctionsManifest, FUNCTIONS } from '../dev/functionsBuild.ts';
import { ROOT } from '../dev/root.ts';

const run = promisify(execFile);

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

test('a copy of the functions deploys other functions, and runs them in the unmodified framework', async () => {
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

test('a copy of the functions is not built if the file of a function does not export it', async () => {
  await writeFile(join(copy, 'src/flash/reorder.ts'), 'export const sort = () => undefined;');

  await expect(
    build(`import { sort } from './flash/reorder.ts'; export const flash = { sort };`),
  ).rejects.toThrow(/No matching export in "src\/flash\/reorder.ts" for import "reorder"/);
});

test('a copy of the functions is not built with two copies of firebase-admin', async () => {
  const admin = join(copy, 'src/node_modules/firebase-admin');
  await mkdir(admin, { recursive: true });
  await writeFile(join(admin, 'package.json'), '{"exports":{"./app":"./app.js"}}');
  await writeFile(join(admin, 'app.js'), 'exports.getApps = () => [];');

  await expect(
    build(`import { getApps } from 'firebase-admin/app'; export const count = getApps().length;`),
  ).rejects.toThrow(/imports a second copy of firebase-admin: .*Install one version/);
});

test('a copy of the functions is not built if firebase-admin needs a package that is not installed', async () => {
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

test('a copy of the functions deploys the triggers and the schedule of examples/triggers', async () => {
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

test('a copy of the functions is not built if esbuild would drop the exports of a module', async () => {
  await writeFile(join(copy, 'src/own.js'), `exports.nightly = () => 'done';`);

  await expect(build(`export * from './own.js';`)).rejects.toThrow(/treated as a global variable/);
});

test('a copy of the functions is built again after each change with --watch, even after a build error', async () => {
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

test('a copy of the functions shares one copy of firebase-admin and of its dependencies between all imports', async () => {
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

test('a copy of the functions is reported with file and line if it cannot be loaded', async () => {
  await build(`\n\nthrow new Error('no such planet');`);

  await expect(loadFunctionsManifest(copy)).rejects.toThrow(
    new RegExp(`no such planet[^]*${RegExp.escape(join(copy, 'src/index.ts'))}:3:7`),
  );
});

/** The bundle: how a build replaces it, and what others add to the functions works in it. */
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
import { startChild } from '../dev/childProcess.ts';
import { buildFunctions, loadFunctionsManifest, FUNCTIONS } from '../dev/functionsBuild.ts';
import { ROOT } from '../dev/root.ts';

const run = promisify(execFile);

let folder: string;
let bundle: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'build-'));
  bundle = join(folder, 'functions.cjs');
});

afterEach(() => rm(folder, { recursive: true }));

test('a process that has opened the bundle keeps the old one, and a build leaves no other file', async () => {
  await writeFile(bundle, 'the old bundle');
  const opened = await open(bundle);
  try {
    await buildFunctions(folder);

    // Only the start: a failure message with the bundle would be megabytes long.
    expect((await opened.readFile('utf8')).slice(0, 100)).toBe('the old bundle');
    expect((await readFile(bundle, 'utf8')).slice(0, 100)).not.toBe('the old bundle');
    expect((await readdir(folder)).filter((file) => !/\.cjs(\.map)?$/.test(file))).toEqual([]);
  } finally {
    await opened.close();
  }
});

test('loads the Admin SDK only when a request needs it', async () => {
  await buildFunctions(folder);
  const index = join(folder, 'index.cjs');
  const print = `require(${JSON.stringify(index)}); Object.keys(require.cache).join()`;

  const { stdout } = await run(process.execPath, ['--print', print]);

  expect(stdout.trim()).toBe(`${await realpath(index)},${await realpath(bundle)}`);
});

test('npm audit --omit=dev, in the root, sees every package in the bundle', async () => {
  await buildFunctions(folder);
  const map = JSON.parse(await readFile(`${bundle}.map`, 'utf8')) as { sources: string[] };
  const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: true } | undefined>;
  };

  // As the lock file names them; a copy of the repository has only links to its packages.
  const path =
    /(?:(?:packages\/[^/]+|functions)\/)?node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/;
  const bundled = new Set(map.sources.flatMap((source) => path.exec(source)?.[0] ?? []));

  expect([...bundled]).toContain('node_modules/zod');
  expect([...bundled].filter((path) => lock.packages[path]?.dev !== undefined)).toEqual([]);
  expect([...bundled].filter((path) => !(path in lock.packages))).toEqual([]);
});

describe('code of one’s own', () => {
  let copy: string;

  beforeEach(async () => {
    // In this folder, so that packages are found.
    const cache = join(ROOT, 'node_modules/.cache');
    await mkdir(cache, { recursive: true });
    copy = await mkdtemp(join(cache, 'own-'));
    for (const path of ['build.js', 'examples', 'package.json', 'src']) {
      await cp(join(FUNCTIONS, path), join(copy, path), { recursive: true });
    }
    // Where npm put another version of a package than in the root.
    await symlink(join(FUNCTIONS, 'node_modules'), join(copy, 'node_modules'), 'junction');
  });

  afterEach(() => rm(copy, { recursive: true }));

  /** Builds a deploy map. */
  async function build(deployMap: string): Promise<void> {
    await writeFile(join(copy, 'src/index.ts'), deployMap);
    await run(process.execPath, [join(copy, 'build.js')]);
  }

  /** The value of an expression in a process that has loaded the functions, as `index`, to serve one of them. */
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

  test('other functions are deployed, and run in the unmodified framework', async () => {
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
    // Like the framework, the options precede the variable.
    expect(await evaluate(isPrepared, 'own.nightly', ['--target=own.reorder'])).toBe(true);
    expect(await evaluate(isPrepared, 'own.nightly', ['--target', 'own.reorder'])).toBe(true);
    expect(await evaluate(isPrepared, 'own.reorder', ['--target=own.nightly'])).toBe(false);
  });

  test('is not built with a second copy of firebase-admin', async () => {
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

  test('may be a trigger or a schedule, which the CLI then finds', async () => {
    await build(`
      import { countMessage } from '../examples/countMessage.ts';
      export { removePastEvents } from '../examples/removePastEvents.ts';
      export { removePhotoFile } from '../examples/removePhotoFile.ts';
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

  test('is not built if the functions of a module are lost', async () => {
    await writeFile(join(copy, 'src/own.js'), `exports.nightly = () => 'done';`);

    await expect(build(`export * from './own.js';`)).rejects.toThrow(
      /treated as a global variable/,
    );
  });

  test('--watch rebuilds after each change, also after a build error', async () => {
    const index = join(copy, 'src/index.ts');
    const { promise: failed, resolve } = Promise.withResolvers<string>();
    const limit = AbortSignal.timeout(60_000);
    limit.onabort = () => {
      resolve('nothing');
    };
    await writeFile(index, `export const found = 'old';`);
    const args = [join(copy, 'build.js'), '--watch'];
    const watcher = startChild(process.execPath, args, { cwd: copy, onLine: resolve });
    const expectBuilt = async (value: string) => {
      let found: unknown;
      while (found !== value && !limit.aborted) {
        found = await evaluate('index.found').catch(() => undefined);
      }
      expect(found).toBe(value);
    };
    try {
      await expectBuilt('old');
      await writeFile(index, `export const found = ;`);
      expect(await failed).toContain('[ERROR] Unexpected ";"');
      await writeFile(index, `export const found = 'new';`);
      await expectBuilt('new');
    } finally {
      await watcher.stop();
    }
  });

  test('may import any module of firebase-admin, and its packages: all share one copy', async () => {
    await build(`
      import { initializeApp } from 'firebase-admin';
      import { getApps } from 'firebase-admin/app';
      import { getFirestore, Timestamp } from 'firebase-admin/firestore';
      import { getMessaging } from 'firebase-admin/messaging';
      import { Firestore, Timestamp as OfPackage } from '@google-cloud/firestore';
      initializeApp();
      export const found = [
        getApps().length,
        Timestamp === OfPackage,
        getFirestore() instanceof Firestore,
        typeof getMessaging().send,
      ];`);

    expect(await evaluate('index.found')).toEqual([1, true, true, 'function']);
  });

  test('that cannot be loaded is shown with its place', async () => {
    await build(`\n\nthrow new Error('no such planet');`);

    await expect(loadFunctionsManifest(copy)).rejects.toThrow(
      new RegExp(`no such planet[^]*${RegExp.escape(join(copy, 'src/index.ts'))}:3:7`),
    );
  });
});

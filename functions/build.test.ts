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
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildFunctions, discover, FUNCTIONS } from '../dev/functionsBuild.ts';
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

describe('code of one’s own', () => {
  let copy: string;

  beforeEach(async () => {
    // In this folder, so that packages are found.
    const cache = join(ROOT, 'node_modules/.cache');
    await mkdir(cache, { recursive: true });
    copy = await mkdtemp(join(cache, 'own-'));
    for (const path of ['build.js', 'package.json', 'src']) {
      await cp(join(FUNCTIONS, path), join(copy, path), { recursive: true });
    }
  });

  afterEach(() => rm(copy, { recursive: true }));

  /** Builds a deploy map. */
  async function build(deployMap: string): Promise<void> {
    await writeFile(join(copy, 'src/index.ts'), deployMap);
    await run(process.execPath, [join(copy, 'build.js')]);
  }

  test('may import any module of firebase-admin, and its packages: all share one copy', async () => {
    await build(`
      import admin from 'firebase-admin';
      import { getApps } from 'firebase-admin/app';
      import { getFirestore, Timestamp } from 'firebase-admin/firestore';
      import { getMessaging } from 'firebase-admin/messaging';
      import { Firestore, Timestamp as OfPackage } from '@google-cloud/firestore';
      admin.initializeApp();
      export const found = [
        getApps().length,
        Timestamp === OfPackage,
        getFirestore() instanceof Firestore,
        typeof getMessaging().send,
      ].join();`);
    const print = `require(${JSON.stringify(join(copy, 'lib/index.cjs'))}).found`;
    const env = { ...process.env, GCLOUD_PROJECT: 'p', METADATA_SERVER_DETECTION: 'none' };

    const { stdout } = await run(process.execPath, ['--print', print], { env });

    expect(stdout.trim()).toBe('1,true,true,function');
  });

  test('that cannot be loaded is shown with its place', async () => {
    await build(`\n\nthrow new Error('no such planet');`);

    await expect(discover(copy)).rejects.toThrow(
      new RegExp(`no such planet[^]*${RegExp.escape(join(copy, 'src/index.ts'))}:3:7`),
    );
  });
});

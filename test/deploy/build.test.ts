/** A build replaces the bundle in one step, so that a process can load it at any time. */
import { execFile } from 'node:child_process';
import { mkdtemp, open, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as deployMap from '../../functions/src/index.ts';
import { buildFunctions } from '../emulator/functionsBuild.ts';

const BUILDS = 4;

let folder: string;
let bundle: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'build-'));
  bundle = join(folder, 'index.cjs');
});

afterEach(() => rm(folder, { recursive: true }));

/** Repeats an action while the bundle is built several times; returns all results. */
async function whileBuilding<Result>(act: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let isBuilding = true;
  const build = async () => {
    try {
      for (let count = 0; count < BUILDS; count += 1) await buildFunctions(folder);
    } finally {
      isBuilding = false;
    }
  };
  const repeat = async () => {
    while (isBuilding) results.push(await act());
  };
  const outcomes = await Promise.allSettled([build(), repeat()]);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return results;
}

/** The groups of functions that a new process finds in the bundle. */
async function loaded(): Promise<string> {
  const print = `Object.keys(require(${JSON.stringify(bundle)})).sort().join()`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--print', print]);
  return stdout.trim();
}

test('loads in a new process at any moment of a build', async () => {
  await buildFunctions(folder);

  const found = await whileBuilding(loaded);

  expect(new Set(found)).toEqual(new Set([Object.keys(deployMap).sort().join()]));
});

test('is complete at any moment of a build', async () => {
  await buildFunctions(folder);
  const complete = await readFile(bundle);

  const areComplete = await whileBuilding(async () => (await readFile(bundle)).equals(complete));

  expect(new Set(areComplete)).toEqual(new Set([true]));
});

test('keeps the old bundle readable for a process that has opened it, and leaves no other file behind', async () => {
  await writeFile(bundle, 'the old bundle');
  const opened = await open(bundle);
  try {
    await buildFunctions(folder);

    // A failure message with the whole file would be megabytes long.
    expect((await opened.readFile('utf8')).slice(0, 100)).toBe('the old bundle');
    expect((await readFile(bundle, 'utf8')).slice(0, 100)).not.toBe('the old bundle');
    const files = await readdir(folder);
    expect(files.sort()).toEqual(['firebase-admin.cjs', 'index.cjs', 'jwks-rsa.cjs']);
  } finally {
    await opened.close();
  }
});

test('loads the Admin SDK only when a request needs it', async () => {
  await buildFunctions(folder);
  const print = `require(${JSON.stringify(bundle)}); Object.keys(require.cache).join()`;

  const { stdout } = await promisify(execFile)(process.execPath, ['--print', print]);

  expect(stdout.trim()).toBe(await realpath(bundle));
});

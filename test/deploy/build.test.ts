/** A build replaces the bundle in one step, so that a process can load it at any time. */
import { execFile } from 'node:child_process';
import { mkdtemp, open, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildFunctions } from '../emulator/functionsBuild.ts';
import { BUNDLED } from './checks.ts';

let folder: string;
let bundle: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'build-'));
  bundle = join(folder, 'index.cjs');
});

afterEach(() => rm(folder, { recursive: true }));

test('is complete at any moment of a build', async () => {
  await buildFunctions(folder);
  const complete = await readFile(bundle);
  const look = async () => ((await readFile(bundle)).equals(complete) ? 'complete' : 'partial');

  const building = buildFunctions(folder).then(() => 'built');
  const seen = new Set<string>();
  while (!seen.has('built')) seen.add(await Promise.race([building, look()]));

  expect(seen).toEqual(new Set(['complete', 'built']));
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
    expect(files.map((file) => `lib/${file}`).sort()).toEqual(BUNDLED);
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

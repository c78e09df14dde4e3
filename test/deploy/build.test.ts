/** A build replaces the bundle in one step, so that whoever loads it meanwhile does not notice. */
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildFunctions } from '../emulator/functionsBuild.ts';

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

test('leaves the former bundle to whoever has opened it, and no other file behind', async () => {
  await writeFile(bundle, 'the former bundle');
  const opened = await open(bundle);
  try {
    await buildFunctions(folder);

    // No more than is needed of a file of megabytes, for the message of a failure.
    expect((await opened.readFile('utf8')).slice(0, 100)).toBe('the former bundle');
    expect((await readFile(bundle, 'utf8')).slice(0, 100)).not.toBe('the former bundle');
    expect(await readdir(folder)).toEqual(['index.cjs']);
  } finally {
    await opened.close();
  }
});

import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../root.ts';
import { assembleHosting, packClient } from './assemble.ts';

/** Two deploys of this commit. */
let folders: readonly string[];

beforeAll(async () => {
  const names = ['first', 'second'].map((name) => `${name}-${process.pid}`);
  folders = await Promise.all(names.map(assembleHosting));
});

afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

test('a deploy hosts the reference, the document and the client, and nothing to sign in to the demo', () => {
  const [cwd = ''] = folders;

  expect(globSync('**/*.*', { cwd }).sort()).toEqual([
    expect.stringMatching(/^client-/),
    'icon.svg',
    'index.html',
    'openapi.json',
    'reference.css',
    'reference.js',
    join('vendor', 'api-reference.js'),
  ]);
});

test('the address of the client has a hash of the file, and the document names it', () => {
  const [first, second] = folders.map((cwd) => {
    const [name = ''] = globSync('client-*.tgz', { cwd });
    const hash = createHash('sha256')
      .update(readFileSync(join(cwd, name)))
      .digest('hex');
    expect(/^client-\d+\.\d+\.\d+-(\w{12})\.tgz$/.exec(name)?.[1]).toBe(hash.slice(0, 12));
    expect(readFileSync(join(cwd, 'openapi.json'), 'utf8')).toContain(`/${name}\\n`);
    return name;
  });

  // The same client has the same address in each deploy.
  expect(first).toBe(second);
});

test('the packed client is the same from a clone with other permissions', async () => {
  const clone = await mkdtemp(join(tmpdir(), 'clone-'));
  await cp(join(ROOT, 'packages/client'), clone, { recursive: true });
  for (const [index, file] of globSync('**/*.*', { cwd: clone }).entries()) {
    await chmod(join(clone, file), [0o600, 0o755][index % 2] ?? 0);
  }

  expect((await packClient(clone)).equals(await packClient())).toBe(true);

  await rm(clone, { recursive: true });
});

import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildHosting } from './buildHosting.ts';

/** Two builds of this commit. */
let folders: readonly string[];

beforeAll(async () => {
  const names = ['first', 'second'].map((name) => `${name}-${process.pid}`);
  folders = await Promise.all(names.map(buildHosting));
});

afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

test('buildHosting publishes the API reference, openapi.json and the client package, but no demo accounts', () => {
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

test('the address of the client contains a hash of the file, and openapi.json names it', () => {
  const [first, second] = folders.map((cwd) => {
    const [name = ''] = globSync('client-*.tgz', { cwd });
    const hash = createHash('sha256')
      .update(readFileSync(join(cwd, name)))
      .digest('hex');
    expect(/^client-\d+\.\d+\.\d+-(\w{12})\.tgz$/.exec(name)?.[1]).toBe(hash.slice(0, 12));
    expect(readFileSync(join(cwd, 'openapi.json'), 'utf8')).toContain(`/${name}\\n`);
    return name;
  });

  // An unchanged client has the same address in each deploy.
  expect(first).toBe(second);
});

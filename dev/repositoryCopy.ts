/** Copies the repository, for tests that change its files. */
import { globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, realpath, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { ROOT } from './root.ts';

/** Files that are installed, built or local to this machine: a clone does not contain them. */
const EXCLUDED = [
  '.git',
  '.firebase',
  '.hosting',
  'functions/lib',
  'packages/client/dist',
  'packages/client/src/schema.ts',
].map((path) => join(ROOT, path));

/** Copies the repository, in its state after a clone and `npm ci --ignore-scripts`, into a new folder. Returns the folder. */
export async function copyRepository(name: string): Promise<string> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), `${name}-`));
  await cp(ROOT, folder, {
    recursive: true,
    filter: (path) =>
      basename(path) !== 'node_modules' &&
      !EXCLUDED.includes(path) &&
      !/\.env\.(?!example$|local$)/.test(path),
  });
  for (const path of globSync('{,functions/,packages/*/}node_modules', { cwd: ROOT })) {
    await symlinkPackages(folder, path);
  }
  return folder;
}

/** Links to the installed packages. Workspace packages become links to the packages of the copy. */
async function symlinkPackages(folder: string, path: string): Promise<void> {
  await mkdir(join(folder, path));
  for (const name of await readdir(join(ROOT, path))) {
    // The copy has its own cache of builds.
    if (name === '.cache') continue;
    const link = join(path, name);
    if (name.startsWith('@')) {
      await symlinkPackages(folder, link);
    } else {
      const target = await realpath(join(ROOT, link));
      const isOwn = !target.includes('node_modules');
      const own = join(folder, relative(await realpath(ROOT), target));
      await symlink(isOwn ? own : target, join(folder, link), 'junction');
    }
  }
}

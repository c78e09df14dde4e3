/** Copies of the repository, for what changes its files. */
import { globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, realpath, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { ROOT } from './root.ts';

/** Everything that is installed, built or local to this machine, and so is missing after a clone. */
const EXCLUDED = ['.git', '.firebase', '.hosting', 'functions/lib'].map((path) => join(ROOT, path));

/** Copies the repository in its state after a clone and `npm ci --ignore-scripts` into a new folder, and returns the folder. */
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

/** Links to the installed packages. Those of the repository itself are the copy's. */
async function symlinkPackages(folder: string, path: string): Promise<void> {
  await mkdir(join(folder, path));
  for (const name of await readdir(join(ROOT, path))) {
    // What is built in the copy is the copy's.
    if (name === '.cache') continue;
    const place = join(path, name);
    if (name.startsWith('@')) {
      await symlinkPackages(folder, place);
    } else {
      const target = await realpath(join(ROOT, place));
      const isOwn = !target.includes('node_modules');
      const own = join(folder, relative(await realpath(ROOT), target));
      await symlink(isOwn ? own : target, join(folder, place), 'junction');
    }
  }
}

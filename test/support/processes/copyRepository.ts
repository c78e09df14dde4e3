import { globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, realpath, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { ROOT } from '../../../dev/root.ts';

/** Files that are installed, built or local to this machine: a clone does not contain them. */
const EXCLUDED = [
  '.git',
  '.firebase',
  '.hosting',
  '.worktrees',
  'functions/lib',
  'packages/client/dist',
  'packages/client/src/schema.ts',
].map((path) => join(ROOT, path));

/**
 * Copies the repository, in its state after a clone and `npm ci --ignore-scripts`, into a new folder, for tests that change
 * its files. Returns the folder.
 */
export async function copyRepository(name: string): Promise<string> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), `${name}-`));
  await cp(ROOT, folder, {
    recursive: true,
    filter: (path) =>
      basename(path) !== 'node_modules' &&
      !EXCLUDED.includes(path) &&
      // Parameters of projects, and configurations of running stacks.
      !/\.env\.(?!example$|local$)|\.stack-\d+\.json$/.test(path),
  });
  for (const path of globSync('{,functions/,packages/*/}node_modules', { cwd: ROOT })) {
    await symlinkPackages(folder, path);
  }
  return folder;
}

/** Creates links to the installed packages. Links to workspace packages lead to the packages of the copy. */
async function symlinkPackages(folder: string, path: string): Promise<void> {
  await mkdir(join(folder, path));
  for (const name of await readdir(join(ROOT, path))) {
    // The copy has its own temporary builds.
    if (name === '.cache') continue;
    const link = join(path, name);
    if (name.startsWith('@')) {
      await symlinkPackages(folder, link);
    } else {
      const target = await realpath(join(ROOT, link));
      const isWorkspacePackage = !target.includes('node_modules');
      const copy = join(folder, relative(await realpath(ROOT), target));
      await symlink(isWorkspacePackage ? copy : target, join(folder, link), 'junction');
    }
  }
}

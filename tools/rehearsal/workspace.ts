import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ROOT } from '../../dev/root.ts';

/** A copy of the project to deploy from, because the CLI writes into its working folder. */
export interface Workspace {
  readonly folder: string;
  read(path: string): Promise<string>;
  write(path: string, text: string): Promise<void>;
  change(path: string, by: (text: string) => string): Promise<void>;
  remove(): Promise<void>;
}

/** Everything that is installed, built or local to this machine, and so is missing after a clone. */
const LEFT_OUT = ['.git', '.firebase', 'functions/lib', 'public/vendor'].map((path) =>
  join(ROOT, path),
);

/** Copies the project in its state after a clone and `npm ci`. */
export async function copyProject(): Promise<Workspace> {
  const folder = await mkdtemp(join(tmpdir(), 'workspace-'));
  await cp(ROOT, folder, {
    recursive: true,
    filter: (path) =>
      basename(path) !== 'node_modules' &&
      !LEFT_OUT.includes(path) &&
      !/\.env\.(?!example$|local$)/.test(path),
  });
  for (const path of ['node_modules', 'functions/node_modules']) {
    if (existsSync(join(ROOT, path)))
      await symlink(join(ROOT, path), join(folder, path), 'junction');
  }
  const read = (path: string) => readFile(join(folder, path), 'utf8');
  const write = (path: string, text: string) => writeFile(join(folder, path), text);
  return {
    folder,
    read,
    write,
    change: async (path, by) => write(path, by(await read(path))),
    remove: () => rm(folder, { recursive: true }),
  };
}

/** What the platform does with an uploaded source: unpacks and builds it. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../dev/root.ts';

const run = promisify(execFile);
const { unzip } = createRequire(join(ROOT, 'package.json'))('firebase-tools/lib/unzip') as {
  readonly unzip: (archive: string, folder: string) => Promise<void>;
};

/** Unpacks an uploaded archive into a folder of its own; returns the folder, and the sorted paths of what is in it. */
export async function unpack(archive: Buffer): Promise<{ folder: string; files: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'uploaded-'));
  const file = `${folder}.zip`;
  await writeFile(file, archive);
  await unzip(file, folder);
  await rm(file);
  const files = await readdir(folder, { recursive: true });
  return { folder, files: files.map((path) => path.replaceAll(sep, '/')).sort() };
}

/**
 * Installs the dependencies like Google's buildpack for Node.js. No script of the package runs, because the CLI sets
 * `GOOGLE_NODE_RUN_SCRIPTS` to an empty value.
 */
export async function build(folder: string): Promise<void> {
  const env = Object.fromEntries(
    // Without npm's own variables, which would point to this project instead of the package.
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_(?!config_registry)|INIT_CWD)/i.test(name),
    ),
  );
  await run('npm', ['ci', '--quiet', '--no-fund', '--no-audit'], {
    cwd: folder,
    env: { ...env, NODE_ENV: 'production' },
    shell: process.platform === 'win32',
  });
}

/** What the platform does with an uploaded source: unpacks and builds it. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../dev/root.ts';

const run = promisify(execFile);
const { unzip } = createRequire(join(ROOT, 'package.json'))('firebase-tools/lib/unzip') as {
  readonly unzip: (archive: string, folder: string) => Promise<void>;
};

/** Unpacks an uploaded archive into a folder of its own; returns the folder, and its sorted file paths. */
export async function unpack(archive: Buffer): Promise<{ folder: string; files: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'uploaded-'));
  const file = `${folder}.zip`;
  await writeFile(file, archive);
  await unzip(file, folder);
  await rm(file);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  return { folder, files: files.sort() };
}

/**
 * Builds a source like Google's buildpack for Node.js. No script of the package runs, because the CLI sets
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
  const { main } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    main: string;
  };
  await run(process.execPath, ['--check', main], { cwd: folder });
}

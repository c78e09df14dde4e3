import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../root.ts';

export const CLIENT_FOLDER = join(ROOT, 'packages/client');

/** The mode of every packed file: that of the checkout depends on the umask of its machine. */
const FILE_MODE = 0o644;

/** Packs the client. The same source results in the same bytes on every machine: npm sets the times of the files. */
export async function packClient(source = CLIENT_FOLDER): Promise<Buffer> {
  // After `npm ci --ignore-scripts`, the client is not built yet.
  if (!existsSync(join(source, 'dist'))) {
    await promisify(execFile)(process.execPath, ['build.ts'], { cwd: source });
  }
  const folder = await mkdtemp(join(tmpdir(), 'client-'));
  try {
    const copy = join(folder, 'client');
    await cp(source, copy, {
      recursive: true,
      filter: (path) => basename(path) !== 'node_modules',
    });
    for (const entry of await readdir(copy, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) await chmod(join(entry.parentPath, entry.name), FILE_MODE);
    }
    const { stdout } = await promisify(execFile)('npm', ['pack', '--silent', '--ignore-scripts'], {
      cwd: copy,
      // Windows needs a shell for npm.
      shell: process.platform === 'win32',
    });
    return await readFile(join(copy, stdout.trim()));
  } finally {
    await rm(folder, { recursive: true });
  }
}

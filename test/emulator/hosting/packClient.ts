/**
 * `npm run client:pack`: publishes the client's sources as a package of their version, in `public`. Commit it: it is never
 * built again, because another build of the same version fails `npm ci` of every app that has it. `-- --replace` is for a
 * version that nobody has installed yet.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../root.ts';
import {
  changedFiles,
  integrityOf,
  packageOf,
  PUBLISHED,
  publishedVersions,
  sourceVersion,
} from './clientPackages.ts';

const version = sourceVersion();
const isPublished = publishedVersions().includes(version);
if (!isPublished || process.argv.includes('--replace')) {
  await pack();
  console.log(`Wrote public/client-${version}.tgz. Describe the version in CHANGELOG.md.`);
} else if (changedFiles(version).length === 0) {
  console.log(`public/client-${version}.tgz is up to date.`);
} else {
  console.error(
    `The client has changed since ${version} was published (${changedFiles(version).join(', ')}): ` +
      'raise the version in public/client/package.json, and run npm install.',
  );
  process.exitCode = 1;
}

/** Runs `npm pack`, and notes the integrity of what it has made. */
async function pack(): Promise<void> {
  const { npm_execpath: npm } = process.env;
  const [command, args] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  const destination = await mkdtemp(join(ROOT, 'public/.client-'));
  try {
    await promisify(execFile)(
      command,
      [...args, 'pack', './public/client', '--silent', '--pack-destination', destination],
      { cwd: ROOT, shell: npm === undefined && process.platform === 'win32' },
    );
    const packed = `tattoo-marketplace-client-${version}.tgz`;
    await rename(join(destination, packed), packageOf(version));
  } finally {
    await rm(destination, { recursive: true });
  }
  const published = JSON.parse(await readFile(PUBLISHED, 'utf8')) as Record<string, string>;
  const all = { ...published, [version]: integrityOf(version) };
  await writeFile(PUBLISHED, `${JSON.stringify(all, null, 2)}\n`);
}

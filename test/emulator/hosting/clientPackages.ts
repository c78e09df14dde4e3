import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ROOT } from '../root.ts';

/** The published packages of the client, one per version: apps install them from Hosting by these names. */
const PUBLIC = join(ROOT, 'public');
const SOURCE = join(PUBLIC, 'client');

/** The integrity of each published version, as the lock files of apps have it. */
export const PUBLISHED = join(SOURCE, 'published.json');

/** The package of a version, in `public`. */
export function packageOf(version: string): string {
  return join(PUBLIC, `client-${version}.tgz`);
}

/** The version of the client's sources. */
export function sourceVersion(): string {
  return (JSON.parse(readFileSync(join(SOURCE, 'package.json'), 'utf8')) as { version: string })
    .version;
}

/** All versions that are published, the newest last. */
export function publishedVersions(): string[] {
  const names = readdirSync(PUBLIC).flatMap((name) => /^client-(.+)\.tgz$/.exec(name)?.[1] ?? []);
  return names.sort(new Intl.Collator('en', { numeric: true }).compare);
}

/** The integrity of a package, as in a lock file. */
export function integrityOf(version: string): string {
  return `sha512-${createHash('sha512')
    .update(readFileSync(packageOf(version)))
    .digest('base64')}`;
}

/** The files of a package that differ from the client's sources. The README may be newer. */
export function changedFiles(version: string): string[] {
  const packed = filesIn(gunzipSync(readFileSync(packageOf(version))));
  packed.delete('README.md');
  const sources = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(package\.json|[^/]+\.(js|ts)|cjs\/.+)$/.test(name),
  );
  const same = (name: string) =>
    sources.includes(name) && packed.get(name)?.equals(readFileSync(join(SOURCE, name)));
  return [...new Set([...packed.keys(), ...sources])].filter((name) => !same(name));
}

/** The files of a tar archive in which npm has put a package. */
function filesIn(tar: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (let at = 0; tar[at] !== 0 && at < tar.length;) {
    const text = (from: number, to: number) =>
      tar.toString('utf8', at + from, at + to).split('\0')[0];
    const size = parseInt(text(124, 136) ?? '', 8);
    const start = at + 512;
    files.set((text(0, 100) ?? '').replace(/^package\//, ''), tar.subarray(start, start + size));
    at = start + Math.ceil(size / 512) * 512;
  }
  return files;
}

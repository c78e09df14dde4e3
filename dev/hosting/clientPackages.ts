import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../root.ts';

const PUBLIC = join(ROOT, 'public');
const SOURCE = join(ROOT, 'packages/client');

/** What is known of each published version of the client. */
export const PUBLISHED = join(SOURCE, 'published.json');

/** A published version: it must never change, because the lock files of apps have its integrity. */
export interface PublishedClient {
  /** The integrity of the package, as in a lock file. */
  readonly integrity: string;
  /** A hash of the sources, without the README, which may be newer. */
  readonly sources: string;
}

/** All published versions, the newest last. */
export function publishedClients(): Readonly<Record<string, PublishedClient>> {
  return JSON.parse(readFileSync(PUBLISHED, 'utf8')) as Record<string, PublishedClient>;
}

/** The package of a version, which Hosting serves by this name. */
export function packageOf(version: string): string {
  return join(PUBLIC, `client-${version}.tgz`);
}

/** The version of the client's sources. */
export function sourceVersion(): string {
  const manifest = readFileSync(join(SOURCE, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** What `publishedClients` would have of the sources and the package of a version, as they are now. */
export function clientNow(version: string): PublishedClient {
  const names = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
  const sources = names.filter((name) => /(^package\.json|\.js|\.ts)$/.test(name)).sort();
  return {
    integrity: hash('sha512', readFileSync(packageOf(version))),
    sources: hash('sha256', ...sources.map((name) => readFileSync(join(SOURCE, name)))),
  };
}

function hash(algorithm: string, ...contents: readonly Buffer[]): string {
  const sum = createHash(algorithm);
  for (const content of contents) sum.update(content);
  return `${algorithm}-${sum.digest('base64')}`;
}

/**
 * `npm run client:publish`: publishes the client as a new minor version if it has changed; `-- major` or `-- patch` for
 * another one. Raises the version wherever it stands, and packs it. Commit all of it: a published version is never packed
 * again, because another package of the same version fails `npm ci` of every app that has it.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import {
  clientNow,
  packageOf,
  PUBLISHED,
  publishedClients,
  sourceVersion,
} from '../../dev/hosting/clientPackages.ts';

const { npm_execpath: npm = '' } = process.env;
const run = (...command: string[]) => execFileSync(process.execPath, [npm, '--silent', ...command]);

const published = publishedClients();
const [newest = '', { sources = '' } = {}] = Object.entries(published).at(-1) ?? [];
run('run', 'generate');
if (clientNow(newest).sources === sources) {
  console.log(`The client has not changed since ${newest}.`);
} else {
  publish(process.argv[2] ?? 'minor');
}

function publish(part: string): void {
  run('version', part, '--workspace', 'packages/client', '--no-git-tag-version');
  const version = sourceVersion();
  const address = `/client-${newest}.tgz`;
  replace('packages/client/README.md', address, `/client-${version}.tgz`);
  replace('tools/generate/description.md', address, `/client-${version}.tgz`);
  replace('CHANGELOG.md', '\n### Unreleased\n', `\n### Unreleased\n\n### ${version}\n`);
  run('run', 'generate');
  run('pack', './packages/client');
  renameSync(`tattoo-marketplace-client-${version}.tgz`, packageOf(version));
  const all = { ...published, [version]: clientNow(version) };
  writeFileSync(PUBLISHED, `${JSON.stringify(all, null, 2)}\n`);
  console.log(`Published public/client-${version}.tgz. Commit all changes.`);
}

function replace(path: string, before: string, after: string): void {
  const text = readFileSync(path, 'utf8');
  if (!text.includes(before)) throw new Error(`${path} lacks ${JSON.stringify(before)}.`);
  writeFileSync(path, text.replace(before, after));
}

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
} from '../../dev/hosting/clientPackages.ts';

const { npm_execpath: npm = '' } = process.env;
const run = (...command: string[]) => execFileSync(process.execPath, [npm, '--silent', ...command]);

const published = publishedClients();
const [newest = '', { sources = '' } = {}] = Object.entries(published).at(-1) ?? [];
run('run', 'openapi');
if (clientNow(newest).sources === sources) {
  console.log(`The client has not changed since ${newest}.`);
} else {
  publish(raised(newest, process.argv[2] ?? 'minor'));
}

function raised(version: string, part: string): string {
  const index = ['major', 'minor', 'patch'].indexOf(part);
  if (index < 0) throw new Error('The new version can be major, minor or patch.');
  const numbers = version.split('.').map(Number);
  return numbers.map((n, i) => (i < index ? n : i === index ? n + 1 : 0)).join('.');
}

function publish(version: string): void {
  const stated = (format: (version: string) => string) =>
    [format(newest), format(version)] as const;
  const manifest = stated((number) => `/client",\n  "version": "${number}"`);
  const lock = stated((number) => `/client",\n      "version": "${number}"`);
  const address = stated((number) => `/client-${number}.tgz`);
  const changes = [
    ['public/client/package.json', manifest],
    ['package-lock.json', lock],
    ['public/client/README.md', address],
    ['tools/openapi/description.md', address],
    ['CHANGELOG.md', ['### Unreleased', `### ${version}`]],
  ] as const;
  const files = changes.map(([path, [before, after]]) => {
    const text = readFileSync(path, 'utf8');
    if (!text.includes(before)) throw new Error(`${path} lacks ${JSON.stringify(before)}.`);
    return [path, text.replace(before, after)] as const;
  });
  for (const [path, text] of files) writeFileSync(path, text);
  run('run', 'openapi');
  run('pack', './public/client');
  renameSync(`tattoo-marketplace-client-${version}.tgz`, packageOf(version));
  const all = { ...published, [version]: clientNow(version) };
  writeFileSync(PUBLISHED, `${JSON.stringify(all, null, 2)}\n`);
  console.log(`Published public/client-${version}.tgz. Commit all changes.`);
}

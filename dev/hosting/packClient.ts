/**
 * `npm run client:pack`: publishes the client's sources as a package of their version. Commit it: it is never built again,
 * because another build of the same version fails `npm ci` of every app that has it. `-- --replace` is for a version that
 * nobody has installed yet.
 */
import { execFile } from 'node:child_process';
import { rename, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import {
  clientNow,
  packageOf,
  PUBLISHED,
  publishedClients,
  sourceVersion,
} from './clientPackages.ts';

const version = sourceVersion();
const { [version]: former, ...others } = publishedClients();
if (former === undefined || process.argv.includes('--replace')) {
  const { npm_execpath: npm = '' } = process.env;
  await promisify(execFile)(process.execPath, [npm, 'pack', './public/client', '--silent']);
  await rename(`tattoo-marketplace-client-${version}.tgz`, packageOf(version));
  const published = { ...others, [version]: clientNow(version) };
  await writeFile(PUBLISHED, `${JSON.stringify(published, null, 2)}\n`);
  console.log(`Wrote public/client-${version}.tgz. Describe the version in CHANGELOG.md.`);
} else if (clientNow(version).sources !== former.sources) {
  console.error(
    `The client has changed since ${version} was published: raise the version in public/client/package.json, ` +
      'and run npm install. If nobody has installed it yet: npm run client:pack -- --replace.',
  );
  process.exitCode = 1;
}

/** The installation of the client. `.ci/run` runs these tests with each version of npm that apps may have. */
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { app, run, useInstalledClient } from '../../../test/support/processes/installedClient.ts';

useInstalledClient();

test('the client is installed by npm as the only package', async () => {
  expect(
    (await readdir(join(app, 'node_modules'))).filter((name) => !name.startsWith('.')),
  ).toEqual(['@tattoo-marketplace']);
});

test('the client is installed again by npm ci, with the documented line in .npmrc', async () => {
  const clone = join(app, 'clone');
  await mkdir(clone);
  for (const file of ['package.json', 'package-lock.json'])
    await cp(join(app, file), join(clone, file));
  await writeFile(join(clone, '.npmrc'), 'allow-remote=root\n');
  await run('npm', 'ci', '--no-audit', '--no-fund', '--prefix', clone);

  expect(await readdir(join(clone, 'node_modules/@tattoo-marketplace'))).toEqual(['client']);
});

/** The installation of the client with each version of npm that apps may have. */
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runsAllCases } from '../../../test/support/jest/testCases.ts';
import {
  app,
  run,
  useInstalledClient,
  type Command,
} from '../../../test/support/processes/installedClient.ts';

const OTHER_VERSIONS: readonly Command[] = ['npm@10', 'npm@11', 'npm@12'].map((version) => [
  'npx',
  '-y',
  version,
]);
const COMMANDS: readonly Command[] = [['npm'], ...(runsAllCases ? OTHER_VERSIONS : [])];

describe.each(COMMANDS.map((npm) => ({ npm, command: npm.join(' ') })))(
  'with $command, the client is',
  ({ npm }) => {
    useInstalledClient(npm);

    test('installed as the only package', async () => {
      const names = await readdir(join(app, 'node_modules'));

      expect(names.filter((name) => !name.startsWith('.'))).toEqual(['@tattoo-marketplace']);
    });

    test('installed again by npm ci, with the documented line in .npmrc', async () => {
      const clone = join(app, 'clone');
      await mkdir(clone);
      for (const file of ['package.json', 'package-lock.json'])
        await cp(join(app, file), join(clone, file));
      await writeFile(join(clone, '.npmrc'), 'allow-remote=root\n');
      await run(...npm, 'ci', '--no-audit', '--no-fund', '--prefix', clone);

      expect(await readdir(join(clone, 'node_modules/@tattoo-marketplace'))).toEqual(['client']);
    });
  },
);

import { basename } from 'node:path';
import { deployedEndpoints } from '../../support/deployMap.ts';
import { listFaults, rewriteFaults } from '../checks.ts';
import type { Cloud } from '../cloud/cloud.ts';
import { firebase } from '../firebaseCli.ts';
import type { Workspace } from '../workspace.ts';
import { check, checkEnd, step } from './report.ts';
import { PARAMETERS, progressOf, servicesOf, type Progress } from './setting.ts';

/** Later deploys: without changes, of some functions, and only of Hosting. */
export async function laterDeploys(cloud: Cloud, workspace: Workspace): Promise<void> {
  step('Deploying again');
  await deployUnchanged(cloud, workspace);
  await deployFlash(cloud, workspace);
  await deployHosting(cloud, workspace);
  await deployWithout(cloud, workspace);
}

async function deployUnchanged(cloud: Cloud, workspace: Workspace): Promise<void> {
  const before = progressOf(cloud);
  const indexes = [...cloud.firestore.indexes.keys()];
  checkEnd('nothing has changed', await firebase(cloud, workspace, ['deploy']), {
    status: 0,
  });
  checkProgress('and nothing is uploaded', cloud, { ...before, releases: before.releases + 1 });
  check('and indexes stay', listFaults('Index', [...cloud.firestore.indexes.keys()], indexes));
}

async function deployFlash(cloud: Cloud, workspace: Workspace): Promise<void> {
  const stored = () => [...cloud.functions.functions.values()];
  const times = new Map(stored().map(({ name, updateTime }) => [name, updateTime]));
  const before = progressOf(cloud);
  const parameters = await workspace.read(PARAMETERS);
  await workspace.write(
    PARAMETERS,
    parameters.replace(/^DEADLINE_SECONDS=.*$/m, 'DEADLINE_SECONDS=11'),
  );
  const args = ['deploy', '--only', 'functions:tattoo-marketplace:flash'];
  checkEnd('--only functions:tattoo-marketplace:flash', await firebase(cloud, workspace, args), {
    status: 0,
  });
  const changed = stored().filter(({ name, updateTime }) => times.get(name) !== updateTime);
  check(
    'changes only the functions of flash',
    listFaults(
      'Changed function',
      changed.map(({ name }) => basename(name)),
      deployedEndpoints
        .filter(({ group }) => group === 'flash')
        .map(({ functionId }) => functionId),
    ),
  );
  checkProgress('and nothing of Hosting', cloud, {
    ...before,
    archives: before.archives + 1,
    functions: before.functions + changed.length,
  });
}

async function deployHosting(cloud: Cloud, workspace: Workspace): Promise<void> {
  const before = progressOf(cloud);
  await workspace.write(
    'public/index.html',
    `${await workspace.read('public/index.html')}<!-- changed -->\n`,
  );
  const args = ['deploy', '--only', 'hosting'];
  checkEnd('--only hosting', await firebase(cloud, workspace, args), { status: 0 });
  checkProgress('uploads only the changed file, and changes no function', cloud, {
    ...before,
    files: before.files + 1,
    releases: before.releases + 1,
  });
  check(
    'and rewrites still lead to the services',
    rewriteFaults(cloud.hosting.live()?.config.rewrites ?? [], servicesOf(cloud)),
  );
}

async function deployWithout(cloud: Cloud, workspace: Workspace): Promise<void> {
  const before = progressOf(cloud);
  const index = await workspace.read('functions/src/index.ts');
  await workspace.write('functions/src/index.ts', index.replace(/,\s*reorder(?=,)/, ''));
  checkEnd('with a function less: refuses', await firebase(cloud, workspace, ['deploy']), {
    status: 1,
    prints: 'firebase functions:delete flash-reorder',
  });
  checkProgress('and changes nothing', cloud, { ...before, archives: before.archives + 1 });
  await workspace.write('functions/src/index.ts', index);
}

function checkProgress(what: string, cloud: Cloud, expected: Progress): void {
  const [found, wanted] = [progressOf(cloud), expected].map((each) => JSON.stringify(each));
  check(what, found === wanted ? [] : [`${String(found)}, not ${String(wanted)}`]);
}

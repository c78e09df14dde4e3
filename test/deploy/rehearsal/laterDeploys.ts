import { basename } from 'node:path';
import { deployedEndpoints } from '../../support/deployMap.ts';
import { rewriteTargets } from '../expected.ts';
import { liveVersion } from '../cloud/apis.ts';
import type { Cloud } from '../cloud/cloud.ts';
import { firebase } from '../firebaseCli.ts';
import type { Workspace } from '../workspace.ts';
import { checkEnd, checkEqual, step } from './report.ts';
import {
  functionsOf,
  indexResources,
  PARAMETERS,
  progressOf,
  PROJECT,
  servicesOf,
} from './setting.ts';

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
  const indexes = indexResources(cloud);
  checkEnd('nothing has changed', await firebase(cloud, workspace, ['deploy']), {
    status: 0,
  });
  const released = { ...before, releases: before.releases + 1 };
  checkEqual('and nothing is uploaded', progressOf(cloud), released);
  checkEqual('and indexes stay', indexResources(cloud), indexes);
}

async function deployFlash(cloud: Cloud, workspace: Workspace): Promise<void> {
  const times = new Map(functionsOf(cloud).map(({ name, updateTime }) => [name, updateTime]));
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
  const changed = functionsOf(cloud).filter(
    ({ name, updateTime }) => times.get(name) !== updateTime,
  );
  const ofFlash = deployedEndpoints.filter(({ group }) => group === 'flash');
  checkEqual(
    'changes only the functions of flash',
    changed.map(({ name }) => basename(name)).sort(),
    ofFlash.map(({ functionId }) => functionId).sort(),
  );
  checkEqual('and nothing of Hosting', progressOf(cloud), {
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
  checkEqual('uploads only the changed file, and changes no function', progressOf(cloud), {
    ...before,
    files: before.files + 1,
    releases: before.releases + 1,
  });
  checkEqual(
    'and rewrites still lead to the services',
    rewriteTargets(liveVersion(cloud.resources, PROJECT)?.config.rewrites),
    servicesOf(cloud),
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
  const uploaded = { ...before, archives: before.archives + 1 };
  checkEqual('and changes nothing', progressOf(cloud), uploaded);
  await workspace.write('functions/src/index.ts', index);
}

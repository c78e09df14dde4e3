import { basename } from 'node:path';
import { deployedEndpoints } from '../../dev/shared/deployMap.ts';
import type { Cloud } from './cloud/cloud.ts';
import { firebase } from './firebaseCli.ts';
import type { Workspace } from './workspace.ts';
import { checkEnd, checkEqual, step } from './report.ts';
import {
  functionsOf,
  indexResources,
  PARAMETERS,
  progressOf,
  rewriteTargets,
  servicesOf,
} from './setting.ts';

/** Later deploys: without changes, of some functions, and only of Hosting. */
export async function laterDeploys(cloud: Cloud, workspace: Workspace): Promise<void> {
  step('Deploying again');

  async function deploy(
    what: string,
    args: readonly string[],
    changes: Partial<ReturnType<typeof progressOf>>,
    end: Parameters<typeof checkEnd>[2] = { status: 0 },
  ): Promise<void> {
    const expected = { ...progressOf(cloud) };
    for (const [kind, count] of Object.entries(changes)) {
      expected[kind as keyof typeof expected] += count;
    }
    checkEnd(what, await firebase(cloud, workspace, ['deploy', ...args]), end);
    checkEqual(`and changes only this: ${JSON.stringify(changes)}`, progressOf(cloud), expected);
  }

  const indexes = indexResources(cloud);
  await deploy('nothing has changed', [], { releases: 1 });
  checkEqual('and indexes stay', indexResources(cloud), indexes);

  const times = new Map(functionsOf(cloud).map(({ name, updateTime }) => [name, updateTime]));
  const ofFlash = deployedEndpoints.filter(({ group }) => group === 'flash');
  await workspace.change(PARAMETERS, (parameters) =>
    parameters.replace(/^DEADLINE_SECONDS=.*$/m, 'DEADLINE_SECONDS=11'),
  );
  const flash = 'functions:tattoo-marketplace:flash';
  await deploy(`--only ${flash}`, ['--only', flash], { archives: 1, functions: ofFlash.length });
  const changed = functionsOf(cloud).filter(
    ({ name, updateTime }) => times.get(name) !== updateTime,
  );
  checkEqual(
    'changes only the functions of flash',
    changed.map(({ name }) => basename(name)).sort(),
    ofFlash.map(({ functionId }) => functionId).sort(),
  );

  await workspace.change('public/index.html', (page) => `${page}<!-- changed -->\n`);
  await deploy('--only hosting', ['--only', 'hosting'], { files: 1, releases: 1 });
  checkEqual('and rewrites still lead to the services', rewriteTargets(cloud), servicesOf(cloud));

  const map = 'functions/src/index.ts';
  const index = await workspace.read(map);
  await workspace.change(map, (text) => text.replace(/,\s*reorder(?=,)/, ''));
  const refusal = { status: 1, prints: 'firebase functions:delete flash-reorder' };
  await deploy('with a function less: refuses', [], { archives: 1 }, refusal);
  await workspace.write(map, index);
}

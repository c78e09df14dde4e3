import { basename } from 'node:path';
import { deployedEndpoints } from '../../dev/shared/deployMap.ts';
import type { Cloud } from './cloud/cloud.ts';
import { firebase } from './commands.ts';
import type { Workspace } from './workspace.ts';
import { checkEnd, checkEqual, step } from './report.ts';
import { PARAMETERS, progressOf, projectIn, rewriteTargets, servicesOf } from './setting.ts';

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

  const before = await projectIn(cloud);
  await deploy('nothing has changed', [], { releases: 1 });
  const after = await projectIn(cloud);
  checkEqual(
    'and functions and indexes stay',
    [after.functions, after.indexes, after.fields],
    [before.functions, before.indexes, before.fields],
  );

  const ofFlash = deployedEndpoints.filter(({ group }) => group === 'flash');
  await workspace.change(PARAMETERS, (parameters) =>
    parameters.replace(/^DEADLINE_SECONDS=.*$/m, 'DEADLINE_SECONDS=11'),
  );
  const flash = 'functions:tattoo-marketplace:flash';
  await deploy(`--only ${flash}`, ['--only', flash], { archives: 1, functions: ofFlash.length });
  const { functions } = await projectIn(cloud);
  const changed = functions.filter(
    ({ updateTime }) => !before.functions.some((each) => each.updateTime === updateTime),
  );
  checkEqual(
    'changes only the functions of flash',
    changed.map(({ name }) => basename(name)).sort(),
    ofFlash.map(({ functionId }) => functionId).sort(),
  );

  await workspace.change('public/index.html', (page) => `${page}<!-- changed -->\n`);
  await deploy('--only hosting', ['--only', 'hosting'], { files: 1, releases: 1 });
  const hosted = await projectIn(cloud);
  checkEqual('and rewrites still lead to the services', rewriteTargets(hosted), servicesOf(hosted));

  const map = 'functions/src/index.ts';
  const index = await workspace.read(map);
  await workspace.change(map, (text) => text.replace(/,\s*reorder(?=,)/, ''));
  const refusal = { status: 1, prints: 'firebase functions:delete flash-reorder' };
  await deploy('with a function less: refuses', [], { archives: 1 }, refusal);
  await workspace.write(map, index);
}

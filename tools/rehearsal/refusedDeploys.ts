import type { Cloud } from './cloud/cloud.ts';
import { firebase } from './commands.ts';
import type { Workspace } from './workspace.ts';
import { check, checkEnd, step } from './report.ts';
import { DATABASE, PARAMETERS, parametersOf, progressOf } from './setting.ts';

/** Deploys that fail as described in docs/operating.md. Leaves the parameters of the project in the workspace. */
export async function refusedDeploys(cloud: Cloud, workspace: Workspace): Promise<void> {
  step('Deploys that must fail');
  const example = await workspace.read('functions/.env.example');

  checkEnd('without parameters', await firebase(cloud, workspace, ['deploy', '--force']), {
    status: 1,
    prints: `${PARAMETERS} is missing`,
  });

  await workspace.write(PARAMETERS, example.replace(/^MAX_INSTANCES=.*$/m, 'MAX_INSTANCES=-1'));
  checkEnd('with an invalid parameter', await firebase(cloud, workspace, ['deploy', '--force']), {
    status: 1,
    prints: 'MAX_INSTANCES=-1 is invalid',
  });

  const isUntouched =
    !cloud.resources.has(DATABASE) &&
    Object.values(progressOf(cloud)).every((count) => count === 0);
  check('and neither deploy has changed anything', isUntouched);

  await workspace.write(PARAMETERS, parametersOf(example));
  checkEnd(
    'without --force: deploys functions, but not Hosting',
    await firebase(cloud, workspace, ['deploy']),
    { status: 1, prints: 'could not set up cleanup policy' },
  );
  check('Hosting was not released', progressOf(cloud).releases === 0);
  const { locationId } = cloud.resources.get(DATABASE) as { locationId?: string };
  check('without a database: the CLI has created one in nam5', locationId === 'nam5');
}

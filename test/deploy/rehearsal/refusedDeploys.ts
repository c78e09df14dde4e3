import { firebase } from '../firebaseCli.ts';
import type { Workspace } from '../workspace.ts';
import { check, checkEnd, step } from './report.ts';
import { PARAMETERS, parametersOf, progressOf, startProject } from './setting.ts';

/** Deploys that end as OPERATIONS.md says they do: not well. Leaves the parameters of the project in the workspace. */
export async function refusedDeploys(workspace: Workspace): Promise<void> {
  step('Deploying what must be refused');
  const cloud = await startProject();
  try {
    const example = await workspace.read('functions/.env.example');

    checkEnd('without parameters', await firebase(cloud, workspace, ['deploy', '--force']), {
      status: 1,
      says: `${PARAMETERS} is missing`,
    });

    await workspace.write(PARAMETERS, example.replace(/^MAX_INSTANCES=.*$/m, 'MAX_INSTANCES=-1'));
    checkEnd(
      'with a parameter out of bounds',
      await firebase(cloud, workspace, ['deploy', '--force']),
      { status: 1, says: 'MAX_INSTANCES=-1 does not fit' },
    );

    const isUntouched =
      cloud.firestore.databases.size === 0 &&
      Object.values(progressOf(cloud)).every((count) => count === 0);
    check('and neither has changed anything', isUntouched);

    await workspace.write(PARAMETERS, parametersOf(example));
    checkEnd(
      'without --force: functions are deployed, Hosting is not',
      await firebase(cloud, workspace, ['deploy']),
      { status: 1, says: 'could not set up cleanup policy' },
    );
    check('Hosting was not released', cloud.hosting.releases() === 0);
    check(
      'without a database: the CLI has made one in nam5',
      cloud.firestore.databases.get('(default)') === 'nam5',
    );
    check('the stand-in knew every request', cloud.unknown);
  } finally {
    await cloud.stop();
  }
}

import { partialDeepStrictEqual } from 'node:assert';
import { basename, join } from 'node:path';
import { parseEnv } from 'node:util';
import { deployedEndpoints } from '../../dev/shared/deployMap.ts';
import { plannedFunction, PUBLISHED } from './expected.ts';
import type { Cloud } from './cloud/cloud.ts';
import { firebase, runCheck } from './commands.ts';
import { deployPlan } from '../checks/manifest.ts';
import { declaredIndexes, storedIndexes, type Project } from '../checks/project.ts';
import type { IndexFile } from '../checks/resources.ts';
import type { Workspace } from './workspace.ts';
import { check, checkEnd, checkEqual, step } from './report.ts';
import {
  createDatabase,
  documentedServices,
  PARAMETERS,
  PROJECT,
  projectIn,
  rewriteTargets,
  servicesOf,
} from './setting.ts';

/** The question how long the platform keeps the images of builds. */
const IMAGES = 'How many days do you want to keep container images';

/** The first deploy to a project with a database, and checks of the result. */
export async function firstDeploy(cloud: Cloud, workspace: Workspace): Promise<void> {
  step(`firebase deploy --project ${PROJECT}, at a terminal`);
  createDatabase(cloud);
  const ready = await runCheck(cloud, 'checkProject', workspace.folder);
  checkEnd('npm run check:project finds nothing of others', ready, { status: 0 });
  checkEnd('succeeds', await firebase(cloud, workspace, ['deploy'], { [IMAGES]: '' }), {
    status: 0,
    prints: 'Deploy complete!',
  });
  checkEqual(
    'docs/operating.md names every service that the CLI needs',
    [...cloud.enabled],
    await documentedServices(),
  );
  const project = await projectIn(cloud);
  await checkFunctions(project, workspace);
  checkHosting(project);
  await checkFirestore(project, workspace);
}

async function checkFunctions({ functions }: Project, workspace: Workspace): Promise<void> {
  const values = parseEnv(await workspace.read(PARAMETERS)) as Record<string, string>;
  const plan = await deployPlan(join(workspace.folder, 'functions'), values);
  checkEqual(
    'the functions are exactly those of the deploy map',
    functions.map(({ name }) => basename(name)).sort(),
    deployedEndpoints.map(({ functionId }) => functionId).sort(),
  );
  checkEqual(
    'they are in the region, of the size, and with the limits and parameters that are declared',
    functions.toSorted((one, other) => one.name.localeCompare(other.name)),
    plan.functions
      .map((planned) => plannedFunction(planned, values))
      .sort((one, other) => one.name.localeCompare(other.name)),
    partialDeepStrictEqual,
  );
}

function checkHosting(project: Project): void {
  checkEqual(
    'rewrites lead to services in their region, and cover all services',
    rewriteTargets(project),
    servicesOf(project),
  );
  const { files = {}, config: { headers = [] } = {} } = project.release?.version ?? {};
  checkEqual('exactly the listed files are published', Object.keys(files).sort(), PUBLISHED);
  const policies = headers.map((each) => [
    each.glob,
    each.headers['Content-Security-Policy']?.split(';')[0],
  ]);
  checkEqual('all pages have a strict policy', policies, [['**', "default-src 'none'"]]);
}

async function checkFirestore(project: Project, workspace: Workspace): Promise<void> {
  check(
    'the active rules are those of firestore.rules',
    project.rules?.text === (await workspace.read('firestore.rules')),
  );
  const file = JSON.parse(await workspace.read('firestore.indexes.json')) as IndexFile;
  checkEqual(
    'indexes and exemptions are those of firestore.indexes.json',
    storedIndexes(project).sort(),
    declaredIndexes(file).sort(),
  );
}

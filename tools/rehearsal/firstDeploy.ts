import { partialDeepStrictEqual } from 'node:assert';
import { basename, join } from 'node:path';
import { parseEnv } from 'node:util';
import { demoAccounts } from '../../dev/demo/accounts.ts';
import { deployedEndpoints } from '../../dev/shared/deployMap.ts';
import { indexesOf, plannedFunction, PUBLISHED } from './expected.ts';
import { liveVersion } from './cloud/apis.ts';
import type { Cloud } from './cloud/cloud.ts';
import type { Resource } from './cloud/resources.ts';
import { firebase } from './firebaseCli.ts';
import { deployPlan } from '../checks/manifest.ts';
import { fieldText, indexText } from '../checks/project.ts';
import type { CloudFunction, IndexFile, StoredIndex } from '../checks/resources.ts';
import type { Workspace } from './workspace.ts';
import { runCheck } from './operator.ts';
import { check, checkEnd, checkEqual, show, step } from './report.ts';
import {
  createDatabase,
  documentedServices,
  functionsOf,
  indexResources,
  PARAMETERS,
  PROJECT,
  rewriteTargets,
  rulesOf,
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
  await checkFunctions(cloud, workspace);
  checkHosting(cloud);
  await checkFirestore(cloud, workspace);
}

async function checkFunctions(cloud: Cloud, workspace: Workspace): Promise<void> {
  const values = parseEnv(await workspace.read(PARAMETERS)) as Record<string, string>;
  const plan = await deployPlan(join(workspace.folder, 'functions'), values);
  const deployed = functionsOf(cloud);
  for (const planned of plan.functions) {
    const { id, runtime, availableMemoryMb, cpu, concurrency, timeoutSeconds } = planned;
    checkEqual(
      `${id.padEnd(38)} ${runtime} ${availableMemoryMb} MiB, ${cpu} CPU, ${concurrency} concurrent requests, ` +
        `${planned.minInstances} to ${planned.maxInstances} instances, ${timeoutSeconds} s, as declared`,
      deployed.find(({ name }) => name.endsWith(`/${planned.region}/functions/${id}`)),
      plannedFunction(planned, values),
      partialDeepStrictEqual,
    );
  }
  checkEqual(
    'they are exactly those of the deploy map',
    deployed.map(({ name }) => basename(name)).sort(),
    deployedEndpoints.map(({ functionId }) => functionId).sort(),
  );
  const invokers = deployed.flatMap((each) => invokersOf(cloud, each));
  checkEqual(
    'anybody may call each of them',
    invokers,
    deployed.map(() => 'allUsers'),
  );
}

/** Who may call a function. */
function invokersOf({ resources }: Cloud, { serviceConfig: { service } }: CloudFunction): string[] {
  const { bindings = [] } = resources.get(`${service}/policy`) as {
    readonly bindings?: readonly { readonly role: string; readonly members: readonly string[] }[];
  };
  return bindings.flatMap(({ role, members }) => (role === 'roles/run.invoker' ? members : []));
}

function checkHosting(cloud: Cloud): void {
  const version = liveVersion(cloud.resources, PROJECT);
  if (version === undefined) {
    check('Hosting was released', false);
    return;
  }
  const { headers = [], rewrites = [] } = version.config;
  checkEqual(
    `${rewrites.length} rewrites lead to services in their region, and cover all services`,
    rewriteTargets(cloud),
    servicesOf(cloud),
  );
  const contentOf = (path: string) =>
    cloud.contents.get(version.files[path] ?? '')?.toString('utf8') ?? '';
  const paths = Object.keys(version.files).sort();
  for (const path of paths) show(`${path} ${contentOf(path).length} characters`);
  checkEqual('exactly these files are published', paths, PUBLISHED);
  const policies = headers.map((each) => [
    each.glob,
    each.headers['Content-Security-Policy']?.split(';')[0],
  ]);
  checkEqual('all pages have a strict policy', policies, [['**', "default-src 'none'"]]);
  const passwords = demoAccounts.map(({ password }) => password);
  checkEqual(
    'and no file contains a password',
    paths.filter((path) => passwords.some((password) => contentOf(path).includes(password))),
    [],
  );
}

async function checkFirestore(cloud: Cloud, workspace: Workspace): Promise<void> {
  check(
    'the active rules are those of firestore.rules',
    rulesOf(cloud) === (await workspace.read('firestore.rules')),
  );
  const file = JSON.parse(await workspace.read('firestore.indexes.json')) as IndexFile;
  const deployed = indexResources(cloud).map((resource) => {
    const [group = '', kind, path = ''] = resource.name.split('/').slice(5);
    return kind === 'fields'
      ? fieldText(group, path)
      : indexText(group, resource as Resource & StoredIndex);
  });
  checkEqual(
    'indexes and exemptions are those of firestore.indexes.json',
    deployed.sort(),
    indexesOf(file),
  );
}

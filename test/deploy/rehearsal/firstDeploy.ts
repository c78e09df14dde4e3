import { basename, join } from 'node:path';
import { parseEnv } from 'node:util';
import { demoAccounts } from '../../emulator/demo/accounts.ts';
import { deployedEndpoints } from '../../support/deployMap.ts';
import {
  functionFaults,
  hostingFaults,
  indexFaults,
  listFaults,
  rewriteFaults,
} from '../checks.ts';
import type { Cloud } from '../cloud/cloud.ts';
import { firebase } from '../firebaseCli.ts';
import { deployPlan } from '../manifest.ts';
import type { IndexFile } from '../resources.ts';
import type { Workspace } from '../workspace.ts';
import { runCheck } from './operator.ts';
import { check, checkEnd, show, step } from './report.ts';
import { PARAMETERS, PROJECT, REGION, servicesOf } from './setting.ts';

/** The question how long the platform keeps the images of builds. */
const IMAGES = 'How many days do you want to keep container images';

/** The first deploy to a project with a database, and checks of the result. */
export async function firstDeploy(cloud: Cloud, workspace: Workspace): Promise<void> {
  step(`firebase deploy --project ${PROJECT}, at a terminal`);
  cloud.firestore.databases.set('(default)', REGION);
  const ready = await runCheck(cloud, 'checkProject', workspace.folder);
  checkEnd('npm run check:project finds nothing of others', ready, { status: 0 });
  checkEnd('succeeds', await firebase(cloud, workspace, ['deploy'], { [IMAGES]: '' }), {
    status: 0,
    prints: 'Deploy complete!',
  });
  const enabled = [...cloud.requestCounts.keys()].filter((kind) => kind.endsWith(':enable'));
  check('OPERATIONS.md names every service that the CLI needs', enabled);
  await checkFunctions(cloud, workspace);
  checkHosting(cloud);
  await checkFirestore(cloud, workspace);
}

async function checkFunctions(
  { functions: { functions, invokers } }: Cloud,
  workspace: Workspace,
): Promise<void> {
  const values = parseEnv(await workspace.read(PARAMETERS)) as Record<string, string>;
  const plan = await deployPlan(join(workspace.folder, 'functions'), values);
  const deployed = [...functions.values()].map((stored) => ({
    stored,
    invokers: invokers(stored.serviceConfig.service),
  }));
  for (const { stored } of deployed) {
    const { minInstanceCount = 0, ...config } = stored.serviceConfig;
    show(
      `${basename(stored.name).padEnd(38)} ${stored.buildConfig.runtime} ${config.availableMemory}, ` +
        `${config.availableCpu} CPU, ${config.maxInstanceRequestConcurrency} concurrent requests, ` +
        `${minInstanceCount} to ${config.maxInstanceCount} instances, ${config.timeoutSeconds} s`,
    );
  }
  check(
    `these ${deployed.length} functions are as declared, with all ${plan.parameters.length} parameters`,
    functionFaults(deployed, plan, values),
  );
  check(
    'they are exactly those of the deploy map',
    listFaults(
      'Function',
      deployed.map(({ stored }) => basename(stored.name)),
      deployedEndpoints.map(({ functionId }) => functionId),
    ),
  );
}

function checkHosting(cloud: Cloud): void {
  const version = cloud.hosting.live();
  if (version === undefined) {
    check('Hosting was released', false);
    return;
  }
  const { rewrites = [] } = version.config;
  check(
    `${rewrites.length} rewrites lead to services in their region, and cover all services`,
    rewriteFaults(rewrites, servicesOf(cloud)),
  );
  const contentOf = (path: string) =>
    cloud.hosting.contents(version.files.get(path) ?? '')?.toString('utf8') ?? '';
  for (const path of [...version.files.keys()].sort()) {
    show(`${path} ${contentOf(path).length} characters`);
  }
  check(
    'exactly these files are published, pages have a strict policy, and no file contains a password',
    hostingFaults(version, contentOf, [...new Set(demoAccounts.map(({ password }) => password))]),
  );
}

async function checkFirestore({ firestore }: Cloud, workspace: Workspace): Promise<void> {
  check(
    'the active rules are those of firestore.rules',
    firestore.rules('cloud.firestore') === (await workspace.read('firestore.rules')),
  );
  const file = JSON.parse(await workspace.read('firestore.indexes.json')) as IndexFile;
  check('indexes and exemptions are those of firestore.indexes.json', indexFaults(firestore, file));
}

/**
 * `npm run rehearse`: a whole deploy, by the unchanged firebase CLI, to a stand-in for Google. What was uploaded is then
 * built as the platform builds it, and run as the platform runs it. Ends with 1 where anything is not as it should be.
 */
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { Firestore } from 'firebase-admin/firestore';
import { demoAccounts } from '../demo/accounts.ts';
import { startEmbeddedFirestore } from '../emulator/firestore/server.ts';
import { startGoogle } from '../emulator/google/google.ts';
import { requireDocumented } from '../openapi/conformance.ts';
import { deployedEndpoints } from '../support/deployMap.ts';
import { exampleRequest, storeExampleWorld } from '../support/exampleRequests.ts';
import { idTokenClaims, unsignedToken } from '../support/idTokens.ts';
import { rawRequest } from '../support/rawRequest.ts';
import {
  functionFaults,
  hostingFaults,
  indexFaults,
  listFaults,
  packageFaults,
  PUBLISHED,
  rewriteFaults,
  UPLOADED,
  type Deployed,
} from './checks.ts';
import { startCloud, type Cloud } from './cloud/cloud.ts';
import { firebase, type CliEnd } from './firebaseCli.ts';
import { deployPlan } from './manifest.ts';
import { build, start, unpack, type RunningFunction } from './platform.ts';
import { copyProject, type Workspace } from './workspace.ts';

const PROJECT = 'tattoo-rehearsal';
/** Not the default: where a region is written down twice, one of the two is wrong. */
const REGION = 'europe-west1';
const PARAMETERS = `functions/.env.${PROJECT}`;
const WORLD = { uid: 'artist-alice', prefix: 'rehearsed' };
const began = performance.now();

const faults: string[] = [];

/** Says whether something is as it should be, and remembers where it is not. */
function check(what: string, wrong: readonly string[] | boolean): void {
  const found = typeof wrong === 'boolean' ? (wrong ? [] : [what]) : wrong;
  console.log(`  ${found.length === 0 ? 'ok   ' : 'WRONG'} ${what}`);
  for (const fault of found) console.log(`        ${fault}`);
  faults.push(...found);
}

function step(title: string): void {
  console.log(`${Math.round((performance.now() - began) / 1000)} s  ${title}`);
}

/** Whether a command of the CLI has ended as it should; where not, what it has printed. */
function checkEnd(
  what: string,
  { status, output }: CliEnd,
  expected: { status: number; says?: string },
) {
  const isRight = status === expected.status && output.includes(expected.says ?? '');
  check(what, isRight ? [] : [`ended with ${String(status)}:\n${output}`]);
}

/** What changes with a deploy. */
function progress({ functions, hosting }: Cloud) {
  return {
    functions: functions.changes(),
    uploads: functions.uploads.size,
    files: hosting.uploads(),
    releases: hosting.releases(),
  };
}

function isUnchanged(
  cloud: Cloud,
  before: ReturnType<typeof progress>,
  except: object = {},
): boolean {
  return JSON.stringify(progress(cloud)) === JSON.stringify({ ...before, ...except });
}

function hasChanged(cloud: Cloud): boolean {
  return Object.values(progress(cloud)).some((count) => count > 0);
}

/** The services that OPERATIONS.md says to switch on. */
async function documentedServices(): Promise<readonly string[]> {
  const text = await readFile('OPERATIONS.md', 'utf8');
  const [, command = ''] = /gcloud services enable ([^`]*?)\n(?=[^ ])/.exec(text) ?? [];
  return command.match(/[a-z]+\.googleapis\.com/g) ?? [];
}

async function startEmptyProject(): Promise<Cloud> {
  return startCloud({ projectId: PROJECT, region: REGION, services: await documentedServices() });
}

function servicesOf({ functions }: Cloud): string[] {
  return [...functions.functions.values()].map(({ name, serviceConfig }) =>
    [name.split('/')[3], basename(serviceConfig.service)].join('/'),
  );
}

async function refusedDeploys(workspace: Workspace): Promise<void> {
  step('Deploying what must be refused');
  const cloud = await startEmptyProject();
  try {
    const example = await workspace.read('functions/.env.example');
    const deploy = (...args: readonly string[]) => firebase(cloud, workspace, ['deploy', ...args]);

    checkEnd('no parameters: refused', await deploy('--force'), {
      status: 1,
      says: `${PARAMETERS} is missing`,
    });
    await workspace.write(PARAMETERS, example.replace(/^MAX_INSTANCES=.*$/m, 'MAX_INSTANCES=-1'));
    checkEnd('a parameter out of bounds: refused', await deploy('--force'), {
      status: 1,
      says: 'MAX_INSTANCES=-1 does not fit',
    });
    check('and nothing was changed', cloud.firestore.databases.size === 0 && !hasChanged(cloud));

    await workspace.write(PARAMETERS, example.replace(/^REGION=.*$/m, `REGION=${REGION}`));
    checkEnd('no --force: functions are deployed, Hosting is not', await deploy(), {
      status: 1,
      says: 'could not set up cleanup policy',
    });
    check(
      'the CLI makes a missing database in nam5: create it before',
      cloud.firestore.databases.get('(default)') === 'nam5' && cloud.hosting.releases() === 0,
    );
    check('the stand-in knew every request', cloud.unknown);
  } finally {
    await cloud.stop();
  }
}

async function firstDeploy(cloud: Cloud, workspace: Workspace): Promise<void> {
  step(
    `Deploying to an empty project: firebase deploy --project ${PROJECT} --non-interactive --force`,
  );
  cloud.firestore.databases.set('(default)', REGION);
  checkEnd('the deploy ends well', await firebase(cloud, workspace, ['deploy', '--force']), {
    status: 0,
    says: 'Deploy complete!',
  });
  const enabled = [...cloud.answered.keys()].filter((kind) => kind.endsWith(':enable'));
  check('OPERATIONS.md names every service that the CLI needs', enabled);
  await checkFunctions(cloud, workspace);
  await checkRest(cloud, workspace);
}

async function checkFunctions(cloud: Cloud, workspace: Workspace): Promise<void> {
  const values = parseEnv(await workspace.read(PARAMETERS)) as Record<string, string>;
  const plan = await deployPlan(values, join(workspace.folder, 'functions'));
  const deployed: Deployed[] = [...cloud.functions.functions.values()].map((stored) => ({
    stored,
    invokers:
      cloud.functions.invokers.get(`${REGION}/${basename(stored.serviceConfig.service)}`) ?? [],
  }));
  for (const { stored } of deployed) {
    const { availableMemory, availableCpu, maxInstanceRequestConcurrency, timeoutSeconds } =
      stored.serviceConfig;
    const { minInstanceCount = 0, maxInstanceCount } = stored.serviceConfig;
    console.log(
      `        ${basename(stored.name).padEnd(38)} ${stored.buildConfig.runtime} ${availableMemory}, ${availableCpu} CPU, ` +
        `${maxInstanceRequestConcurrency} at a time, ${minInstanceCount} to ${maxInstanceCount} instances, ${timeoutSeconds} s`,
    );
  }
  check(
    `${deployed.length} functions as they are declared, with ${plan.parameters.length} parameters`,
    functionFaults(deployed, plan, values),
  );
  check(
    'the deploy map is what was deployed',
    listFaults(
      'Function',
      deployed.map(({ stored }) => basename(stored.name)),
      deployedEndpoints.map(({ functionId }) => functionId),
    ),
  );
}

async function checkRest(
  { hosting, firestore, functions }: Cloud,
  workspace: Workspace,
): Promise<void> {
  const version = hosting.live();
  if (version === undefined) {
    check('Hosting was released', false);
    return;
  }
  const { rewrites = [] } = version.config;
  const services = [...functions.functions.values()].map(
    ({ serviceConfig }) => `${REGION}/${basename(serviceConfig.service)}`,
  );
  check(
    `${rewrites.length} rewrites lead to the ${services.length} services`,
    rewriteFaults(rewrites, services),
  );
  const contentOf = (path: string) =>
    hosting.contents(version.files.get(path) ?? '')?.toString('utf8') ?? '';
  for (const path of [...version.files.keys()].sort()) {
    console.log(`        ${path} ${contentOf(path).length} characters`);
  }
  check(
    `Hosting publishes these ${PUBLISHED.length} files, pages under a strict policy, no password`,
    hostingFaults(version, contentOf, [...new Set(demoAccounts.map(({ password }) => password))]),
  );
  check(
    'the rules in force are those of firestore.rules',
    firestore.rules('cloud.firestore') === (await workspace.read('firestore.rules')),
  );
  check(
    'indexes and exemptions are those of firestore.indexes.json',
    indexFaults(firestore, JSON.parse(await workspace.read('firestore.indexes.json')) as never),
  );
}

async function runUploaded(cloud: Cloud): Promise<void> {
  const [archive] = cloud.functions.uploads.values();
  if (archive === undefined) return;
  step('Building what was uploaded, as the platform does: npm ci, node --check');
  const source = await unpack(archive);
  try {
    for (const file of source.files) console.log(`        ${file}`);
    check('exactly these files were uploaded', listFaults('Uploaded file', source.files, UPLOADED));
    const read = (path: string) => readFile(join(source.folder, path), 'utf8');
    const manifest = JSON.parse(await read('package.json')) as { readonly main: string };
    check(
      'it installs the Functions Framework alone, and the bundle asks for no package',
      packageFaults(manifest, await read(manifest.main)),
    );
    await build(source.folder);
    check('it builds', true);
    step('Running each function with the variables that were deployed');
    await runAll(cloud, source.folder);
  } finally {
    await source.remove();
  }
}

async function runAll(cloud: Cloud, folder: string): Promise<void> {
  delete process.env.FIRESTORE_EMULATOR_HOST;
  const embedded = await startEmbeddedFirestore();
  const firestore = new Firestore({ projectId: PROJECT, host: embedded.address, ssl: false });
  const google = await startGoogle({ projectId: PROJECT, firestoreAddress: embedded.address });
  const running: RunningFunction[] = [];
  try {
    for (const deployed of cloud.functions.functions.values()) {
      const functionId = basename(deployed.name);
      await storeExampleWorld(firestore, WORLD);
      const served = await start(folder, deployed, google.environment);
      running.push(served);
      cloud.origins.set(`${REGION}/${basename(deployed.serviceConfig.service)}`, served.origin);
      await checkAnswers(functionId, served, google.tokenOf(WORLD.uid));
    }
    check(
      'functions asked Google alone',
      [...google.asked.keys()].filter((asked) => asked.endsWith(' refused')),
    );
    step('Checking the deploy: npm run check:deployed');
    await checkDeployed(cloud);
  } finally {
    await Promise.all(running.map((each) => each.stop()));
    // Two requests of ours, and that of the check.
    const silent = running.filter(
      ({ logs }) => logs.filter((entry) => 'httpRequest' in entry).length < 3,
    );
    check('every request has a line in the logs', silent.length === 0);
    await google.stop();
    await firestore.terminate();
    await embedded.stop();
  }
}

async function checkAnswers(
  functionId: string,
  { origin }: RunningFunction,
  token: string,
): Promise<void> {
  const ask = async (sent: string) => {
    const { path, ...options } = exampleRequest(functionId, WORLD, sent);
    const answer = await rawRequest(origin, `/api${path}`, options);
    const header = (name: string) => String(answer.headers[name.toLowerCase()] ?? '');
    const { status, text } = answer;
    requireDocumented({ method: options.method, path, status, header, text });
    return status;
  };
  const isPublic = deployedEndpoints.some(
    (each) => each.functionId === functionId && each.endpoint.declaration.access === 'public',
  );
  const status = await ask(token);
  const toUnsigned = await ask(unsignedToken(idTokenClaims(PROJECT, WORLD.uid)));
  check(
    `${functionId.padEnd(38)} ${status}, ${toUnsigned} to an unsigned token, both as documented`,
    status === 200 && toUnsigned === (isPublic ? 200 : 401),
  );
}

/** Runs the check of a deploy as whoever deploys would, with credentials that the stand-in takes. */
async function checkDeployed({ environment }: Cloud): Promise<void> {
  const credentials = `${environment.NODE_EXTRA_CA_CERTS ?? ''}.json`;
  const user = { client_id: 'id', client_secret: 'secret', refresh_token: 'token' };
  await writeFile(credentials, JSON.stringify({ type: 'authorized_user', ...user }));
  const ended = await promisify(execFile)(
    process.execPath,
    ['test/deploy/checkDeployed.ts', '--project', PROJECT],
    { env: { ...process.env, ...environment, GOOGLE_APPLICATION_CREDENTIALS: credentials } },
  ).then(
    ({ stdout }) => ({ status: 0, output: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      status: error.code,
      output: error.stdout + error.stderr,
    }),
  );
  await rm(credentials);
  checkEnd('every function is the new one and answers, and Hosting leads to them', ended, {
    status: 0,
  });
}

async function laterDeploys(cloud: Cloud, workspace: Workspace): Promise<void> {
  step('Deploying again');
  const deploy = (...args: readonly string[]) => firebase(cloud, workspace, ['deploy', ...args]);
  let before = progress(cloud);
  checkEnd('nothing is changed: the deploy ends well', await deploy('--force'), { status: 0 });
  check('and uploads nothing', isUnchanged(cloud, before, { releases: before.releases + 1 }));

  const times = new Map(
    [...cloud.functions.functions].map(([name, { updateTime }]) => [name, updateTime]),
  );
  const parameters = await workspace.read(PARAMETERS);
  await workspace.write(
    PARAMETERS,
    parameters.replace(/^DEADLINE_SECONDS=.*$/m, 'DEADLINE_SECONDS=11'),
  );
  before = progress(cloud);
  checkEnd('--only functions:flash ends well', await deploy('--only', 'functions:flash'), {
    status: 0,
  });
  const changed = [...cloud.functions.functions.values()]
    .filter(({ name, updateTime }) => times.get(name) !== updateTime)
    .map(({ name }) => basename(name));
  const flash = deployedEndpoints
    .filter(({ group }) => group === 'flash')
    .map(({ functionId }) => functionId);
  check('and changes the functions of flash alone', listFaults('Changed function', changed, flash));
  check('and nothing of Hosting', cloud.hosting.releases() === before.releases);

  const page = await workspace.read('public/index.html');
  await workspace.write('public/index.html', `${page}<!-- changed -->\n`);
  before = progress(cloud);
  checkEnd('--only hosting ends well', await deploy('--only', 'hosting'), { status: 0 });
  check(
    'and uploads the one file that changed, releases, and touches no function',
    isUnchanged(cloud, before, { files: before.files + 1, releases: before.releases + 1 }),
  );
  check(
    'rewrites still lead to the services',
    rewriteFaults(cloud.hosting.live()?.config.rewrites ?? [], servicesOf(cloud)),
  );
}

const workspace = await copyProject();
try {
  await refusedDeploys(workspace);
  const cloud = await startEmptyProject();
  try {
    await firstDeploy(cloud, workspace);
    await runUploaded(cloud);
    await laterDeploys(cloud, workspace);
    check('the stand-in knew every request', cloud.unknown);
    const kinds = [...cloud.answered.keys()];
    const hosts = new Set(kinds.map((kind) => kind.replace(/^\w+ ([^/]+).*$/, '$1')));
    const requests = [...cloud.answered.values()].reduce((sum, count) => sum + count, 0);
    step(
      `Google’s stand-in answered ${requests} requests of ${kinds.length} kinds to ${hosts.size} hosts`,
    );
  } finally {
    await cloud.stop();
  }
} finally {
  await workspace.remove();
}
if (faults.length > 0) {
  console.error(`The rehearsal failed: ${faults.length} things are wrong.`);
  process.exitCode = 1;
} else {
  step(
    'The rehearsal passed. What it cannot show: Google’s own build and routing, quotas, permissions.',
  );
}

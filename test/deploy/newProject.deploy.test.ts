/** Deploys to a new project, and builds and runs the uploaded archive like the platform. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, sep } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { toFunctionTarget } from '@tattoo-marketplace/endpoints';
import { startEmbeddedFirestore, EmulatorClient } from '@tattoo-marketplace/firestore-embedded';
import { startFakeGoogle } from '../support/google/fakeGoogle.ts';
import {
  startFunctionProcess,
  type FunctionProcess,
} from '../support/processes/functionProcess.ts';
import { ROOT } from '../../dev/root.ts';
import { endpoints, functionIds, unknownPathId } from '../../functions/service.ts';
import { createExampleRequest, storeFixture } from '../support/requests/exampleRequests.ts';
import { sendServiceRequest } from '../support/requests/openapi.ts';
import type { CloudFunction } from '../../tools/checks/resources.ts';
import {
  PROMPT_ANSWERS,
  listEnabledServices,
  expectedResult,
  PARAMETERS,
  PROJECT,
  REGION,
  startDeployTest,
  type ProjectState,
  type DeployTest,
} from './deployTest.ts';

const { unzip } = createRequire(join(ROOT, 'package.json'))('firebase-tools/lib/unzip') as {
  readonly unzip: (archive: string, folder: string) => Promise<void>;
};

/** The bundles of all functions, and of each endpoint. */
const BUNDLES = ['functions', ...endpoints.map(({ functionId }) => toFunctionTarget(functionId))];
/** The uploaded files: the bundles, and the manifests from which the platform installs dependencies. */
const UPLOADED_FILES = [
  'lib',
  'lib/firebase-admin.cjs',
  'lib/index.cjs',
  ...BUNDLES.flatMap((name) => [`lib/${name}.cjs`, `lib/${name}.cjs.map`]),
  'package-lock.json',
  'package.json',
].sort();

const FUNCTIONS_INDEX = 'functions/src/index.ts';
const INVALID_PARAMETER = 'MAX_INSTANCES=-1 is invalid. Allowed: an integer from 1 to 1000.';
const MISSING_PARAMETER = 'no value for the following environment variables: DATABASE_ID';
const REMOVED_FUNCTION = 'firebase functions:delete bookings-deleteSession';

const FIXTURE = { uid: 'artist-alice', prefix: 'deploy-test' };

let deployTest: DeployTest;
let project: ProjectState;

beforeAll(async () => {
  deployTest = await startDeployTest();
  expect(await deployTest.runTool('checks/checkProject')).toEqual(expectedResult(0));
  expect(await deployTest.runFirebase(['deploy'], PROMPT_ANSWERS)).toEqual(
    expectedResult(0, 'Deploy complete!'),
  );
  project = deployTest.readProject();
});

afterAll(() => deployTest.stop());

test('tools/setUpProject.sh enables every service that the CLI needs', async () => {
  const enabled = deployTest.cloud.resources.list(`projects/${PROJECT}/services/-`);
  const enabledBefore = listEnabledServices(await deployTest.read('tools/setUpProject.sh'));

  expect(enabled.map(({ name }) => basename(name)).sort()).toEqual(enabledBefore);
});

test('deploys exactly the functions of functions/service.ts, in the region, with the parameters', async () => {
  const parameters = parseEnv(await deployTest.read(PARAMETERS));

  expect(project.functions.map(({ name }) => name).sort()).toEqual(
    functionIds
      .map((functionId) => `projects/${PROJECT}/locations/${REGION}/functions/${functionId}`)
      .sort(),
  );
  for (const { serviceConfig } of project.functions) {
    expect(serviceConfig.environmentVariables).toMatchObject(parameters);
  }
});

test('publishes the folder that npm run build:hosting builds, with a strict policy, and rewrites to all functions', async () => {
  const { files = {}, config } = project.version ?? {};

  const builtFiles = await readdir(join(deployTest.folder, '.hosting/deploy'), { recursive: true });
  expect(builtFiles).toEqual(
    expect.arrayContaining(Object.keys(files).map((path) => path.slice(1))),
  );
  expect(files).toHaveProperty(['/openapi.json']);
  expect(config?.headers?.map(({ glob }) => glob)).toEqual(['**']);
  const { 'Content-Security-Policy': policy } = config?.headers?.[0]?.headers ?? {};
  expect(policy).toMatch(/^default-src 'none';/);
  const targets = config?.rewrites?.map(({ run }) => `${run?.region}/${run?.serviceId}`);
  expect(new Set(targets)).toEqual(new Set(project.functions.map(getServiceName)));
});

test('deploys the rules and the indexes', async () => {
  const file = await deployTest.read('firestore.indexes.json');
  const { indexes, fieldOverrides } = JSON.parse(file) as Readonly<Record<string, object[]>>;

  const rulesets = deployTest.cloud.resources.list(`projects/${PROJECT}/rulesets/-`);
  expect(JSON.stringify(rulesets)).toContain(
    JSON.stringify(await deployTest.read('firestore.rules')),
  );
  expect(project.indexes).toHaveLength([indexes, fieldOverrides].flat().length);
});

test('the uploaded archive installs and runs alone, and check:deployed passes', async () => {
  const { uploadedSources, origins } = deployTest.cloud;
  const { folder, files } = await unpack(uploadedSources[0] ?? Buffer.of());
  expect(files).toEqual(UPLOADED_FILES);
  await build(folder);

  const embedded = await startEmbeddedFirestore();
  const store = new EmulatorClient(embedded.address, PROJECT);
  const google = await startFakeGoogle({ projectId: PROJECT, firestoreAddress: embedded.address });
  const processes: FunctionProcess[] = [];
  try {
    for (const deployed of project.functions) {
      const functionId = basename(deployed.name);
      const { environmentVariables } = deployed.serviceConfig;
      const variables = { ...google.environment, ...environmentVariables };
      const functionProcess = await startFunctionProcess(functionId, variables, folder);
      processes.push(functionProcess);
      origins.set(getServiceName(deployed), functionProcess.origin);

      if (functionId === unknownPathId) continue;
      await storeFixture(store, FIXTURE);
      const request = createExampleRequest(functionId, FIXTURE, google.createIdToken(FIXTURE.uid));
      const { status } = await sendServiceRequest(`${functionProcess.origin}/api`, request);
      expect([functionId, status]).toEqual([functionId, 200]);
    }
    const rejectedRequests = [...google.requestCounts.keys()].filter((name) =>
      name.endsWith(' rejected'),
    );
    expect(rejectedRequests).toEqual([]);

    const checkResult = await deployTest.runTool('checks/checkDeployed');
    expect(checkResult).toEqual(expectedResult(0));
    const reorder = `projects/${PROJECT}/locations/${REGION}/functions/flash-reorder`;
    const { labels } = project.functions.find(({ name }) => name === reorder) ?? {};
    const newer = { ...labels, 'firebase-functions-hash': 'newer' };
    deployTest.cloud.resources.put(reorder, { labels: newer });
    const outdatedResult = await deployTest.runTool('checks/checkDeployed');
    deployTest.cloud.resources.put(reorder, { labels });
    expect(outdatedResult).toEqual(expectedResult(1));
    const outdated = outdatedResult.output.match(/^WRONG .* still runs an older build$/gm);
    expect(outdated).toHaveLength(project.functions.length - 1);
  } finally {
    await Promise.all(processes.map((functionProcess) => functionProcess.stop()));
    await google.stop();
    await embedded.stop();
    await rm(folder, { recursive: true });
  }
});

test('a later deploy only updates resources that have changed', async () => {
  const { runFirebase, change } = deployTest;
  const before = deployTest.readProject();

  expect(await runFirebase(['deploy'])).toEqual(expectedResult(0));
  const { functions, indexes } = deployTest.readProject();
  expect([functions, indexes]).toEqual([before.functions, before.indexes]);

  await change('public/index.html', (page) => `${page}<!-- changed -->\n`);
  expect(await runFirebase(['deploy', '--only', 'hosting'])).toEqual(expectedResult(0));
  const { version, functions: later } = deployTest.readProject();
  expect(later).toEqual(functions);
  expect(version?.config).toEqual(before.version?.config);
  expect(version?.files).not.toEqual(before.version?.files);
});

test('npm run rollback returns all functions to the revision before the last deploy, and to the latest', async () => {
  const { runFirebase, runTool, change, cloud } = deployTest;
  const readTraffic = () =>
    project.functions.map(({ serviceConfig: { service } }) => {
      const { traffic } = cloud.resources.get(service) as unknown as { traffic: object[] };
      return { [basename(service)]: traffic };
    });
  const toService = ({ serviceConfig }: CloudFunction) => basename(serviceConfig.service);
  const type = 'TRAFFIC_TARGET_ALLOCATION_TYPE';
  // The second revision.
  await change(PARAMETERS, (text) => text.replace(/^DEADLINE_SECONDS=.*$/m, 'DEADLINE_SECONDS=11'));
  expect(await runFirebase(['deploy', '--only', 'functions'])).toEqual(expectedResult(0));

  expect(await runTool('rollBack')).toEqual(expectedResult(0));
  expect(readTraffic()).toEqual(
    project.functions.map(toService).map((service) => ({
      [service]: [{ type: `${type}_REVISION`, revision: `${service}-1`, percent: 100 }],
    })),
  );

  expect(await runTool('rollBack', '--latest')).toEqual(expectedResult(0));
  expect(readTraffic()).toEqual(
    project.functions
      .map(toService)
      .map((service) => ({ [service]: [{ type: `${type}_LATEST`, percent: 100 }] })),
  );
  expect(await runTool('rollBack', '--function', 'none')).toEqual(
    expectedResult(1, 'There is no function none.'),
  );
});

test('wait:indexes waits until the indexes are built, and printSite prints the default site', async () => {
  expect(await deployTest.runTool('checks/waitForIndexes')).toEqual(
    expectedResult(0, 'OK: all indexes of (default) are built.'),
  );
  expect(await deployTest.runTool('checks/printSite')).toEqual(expectedResult(0, `${PROJECT}\n`));
});

test.each([
  {
    name: 'an invalid parameter',
    file: PARAMETERS,
    match: /^MAX_INSTANCES=.*$/m,
    replacement: 'MAX_INSTANCES=-1',
    message: INVALID_PARAMETER,
  },
  {
    name: 'a missing parameter',
    file: PARAMETERS,
    match: /^DATABASE_ID=.*$/m,
    replacement: '',
    message: MISSING_PARAMETER,
  },
  {
    name: 'a removed function',
    file: FUNCTIONS_INDEX,
    match: 'export const bookings',
    replacement: 'const bookings',
    message: REMOVED_FUNCTION,
  },
])(
  'a deploy with $name fails and changes nothing',
  async ({ file, match, replacement, message }) => {
    const { runFirebase, change, read } = deployTest;
    const { functions, version } = deployTest.readProject();
    const text = await read(file);

    await change(file, () => text.replace(match, replacement));
    const result = await runFirebase(['deploy']);
    await change(file, () => text);

    expect(result).toEqual(expectedResult(1, message));
    expect(deployTest.readProject()).toMatchObject({ functions, version });
  },
);

/** Returns the Cloud Run service of a function: `europe-west1/flash-listbyartist`. */
function getServiceName({ serviceConfig: { service } }: CloudFunction): string {
  return `${REGION}/${basename(service)}`;
}

/** Unpacks an uploaded archive into a new folder. Returns the folder, and the sorted paths of its files. */
async function unpack(archive: Buffer): Promise<{ folder: string; files: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'uploaded-'));
  const file = `${folder}.zip`;
  await writeFile(file, archive);
  await unzip(file, folder);
  await rm(file);
  const files = await readdir(folder, { recursive: true });
  return { folder, files: files.map((path) => path.replaceAll(sep, '/')).sort() };
}

/**
 * Installs the dependencies like Google's buildpack for Node.js. No script of the package runs, because the CLI sets
 * `GOOGLE_NODE_RUN_SCRIPTS` to an empty value.
 */
async function build(folder: string): Promise<void> {
  const env = Object.fromEntries(
    // npm's own variables would point to this project instead of the package.
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_(?!config_registry)|INIT_CWD)/i.test(name),
    ),
  );
  await promisify(execFile)('npm', ['ci', '--quiet', '--no-fund', '--no-audit'], {
    cwd: folder,
    env: { ...env, NODE_ENV: 'production' },
    shell: process.platform === 'win32',
  });
}

/** The first deploy to a new project. The uploaded archive is then built and run like on the platform. */
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseEnv } from 'node:util';
import { startEmbeddedFirestore, Store } from '@tattoo-marketplace/firestore-embedded';
import { startGoogle } from '../../dev/google/google.ts';
import { serveDeployed, type DeployedFunction } from '../../dev/deployedFunction.ts';
import { deployedEndpoints } from '../../functions/service.ts';
import { exampleRequest, storeExampleWorld } from '../../demo/exampleRequests.ts';
import { serviceRequest } from '../../test/support/documented.ts';
import type { CloudFunction } from '../checks/resources.ts';
import { build, unpack } from './platform.ts';
import {
  AT_TERMINAL,
  preparedServices,
  ending,
  PARAMETERS,
  PROJECT,
  REGION,
  startRehearsal,
  type ProjectState,
  type Rehearsal,
} from './rehearsal.ts';

/** What is uploaded: the bundle, and the manifests from which the platform installs dependencies. */
const UPLOADED = [
  'lib',
  'lib/firebase-admin.cjs',
  'lib/functions.cjs',
  'lib/functions.cjs.map',
  'lib/index.cjs',
  'package-lock.json',
  'package.json',
];

const WORLD = { uid: 'artist-alice', prefix: 'rehearsed' };

let rehearsal: Rehearsal;
let project: ProjectState;

beforeAll(async () => {
  rehearsal = await startRehearsal();
  expect(await rehearsal.runCheck('checkProject')).toEqual(
    ending(0, 'Indexes that the database lacks'),
  );
  expect(await rehearsal.firebase(['deploy'], AT_TERMINAL)).toEqual(ending(0, 'Deploy complete!'));
  project = rehearsal.project();
});

afterAll(() => rehearsal.stop());

test('tools/prepareProject.sh enables every service that the CLI needs', async () => {
  const enabled = rehearsal.cloud.resources.list(`projects/${PROJECT}/services/-`);
  const enabledBefore = preparedServices(await rehearsal.read('tools/prepareProject.sh'));

  expect(enabled.map(({ name }) => basename(name)).sort()).toEqual(enabledBefore);
});

test('deploys exactly the functions of the deploy map, in the region, with the parameters', async () => {
  const parameters = parseEnv(await rehearsal.read(PARAMETERS));

  expect(project.functions.map(({ name }) => name).sort()).toEqual(
    deployedEndpoints
      .map(({ functionId }) => `projects/${PROJECT}/locations/${REGION}/functions/${functionId}`)
      .sort(),
  );
  for (const { serviceConfig } of project.functions) {
    expect(serviceConfig.environmentVariables).toMatchObject(parameters);
  }
});

test('publishes what npm run hosting puts together, with a strict policy, and rewrites to all functions', async () => {
  const { files = {}, config } = project.version ?? {};

  const hosted = await readdir(join(rehearsal.folder, '.hosting/deploy'), { recursive: true });
  expect(hosted).toEqual(expect.arrayContaining(Object.keys(files).map((path) => path.slice(1))));
  expect(files).toHaveProperty(['/openapi.json']);
  expect(config?.headers?.map(({ glob }) => glob)).toEqual(['**']);
  const { 'Content-Security-Policy': policy } = config?.headers?.[0]?.headers ?? {};
  expect(policy).toMatch(/^default-src 'none';/);
  const targets = config?.rewrites?.map(({ run }) => `${run?.region}/${run?.serviceId}`);
  expect(new Set(targets)).toEqual(new Set(project.functions.map(serviceOf)));
});

test('deploys the rules and the indexes', async () => {
  const file = await rehearsal.read('firestore.indexes.json');
  const { indexes, fieldOverrides } = JSON.parse(file) as Readonly<Record<string, object[]>>;

  const rulesets = rehearsal.cloud.resources.list(`projects/${PROJECT}/rulesets/-`);
  expect(JSON.stringify(rulesets)).toContain(
    JSON.stringify(await rehearsal.read('firestore.rules')),
  );
  expect(project.indexes).toHaveLength([indexes, fieldOverrides].flat().length);
});

test('the uploaded archive installs and runs alone, and check:deployed passes', async () => {
  const { archives, origins } = rehearsal.cloud;
  expect(archives).toHaveLength(1);
  const { folder, files } = await unpack(archives[0] ?? Buffer.of());
  expect(files).toEqual(UPLOADED);
  await build(folder);

  const embedded = await startEmbeddedFirestore();
  const store = new Store(embedded.address, PROJECT);
  const google = await startGoogle({ projectId: PROJECT, firestoreAddress: embedded.address });
  const running: DeployedFunction[] = [];
  try {
    for (const deployed of project.functions) {
      const functionId = basename(deployed.name);
      const { environmentVariables } = deployed.serviceConfig;
      const variables = { ...google.environment, ...environmentVariables };
      const served = await serveDeployed(functionId, variables, folder);
      running.push(served);
      origins.set(serviceOf(deployed), served.origin);

      await storeExampleWorld(store, WORLD);
      const request = exampleRequest(functionId, WORLD, google.tokenOf(WORLD.uid));
      const { status } = await serviceRequest(`${served.origin}/api`, request);
      expect([functionId, status]).toEqual([functionId, 200]);
    }
    const others = [...google.requestCounts.keys()].filter((name) => name.endsWith(' refused'));
    expect(others).toEqual([]);

    const checked = await rehearsal.runCheck('checkDeployed');
    expect(checked).toEqual(ending(0));
    const reorder = `projects/${PROJECT}/locations/${REGION}/functions/flash-reorder`;
    rehearsal.cloud.resources.put(reorder, { labels: { 'firebase-functions-hash': 'newer' } });
    const found = await rehearsal.runCheck('checkDeployed');
    expect(found).toEqual(ending(1));
    const old = found.output.match(/^WRONG .* is of an older source$/gm);
    expect(old).toHaveLength(project.functions.length - 1);
  } finally {
    await Promise.all(running.map((each) => each.stop()));
    await google.stop();
    await embedded.stop();
    await rm(folder, { recursive: true });
  }
});

/** The Cloud Run service of a function: `europe-west1/flash-listbyartist`. */
function serviceOf({ serviceConfig: { service } }: CloudFunction): string {
  return `${REGION}/${basename(service)}`;
}

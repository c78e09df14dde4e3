import { readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { startEmbeddedFirestore } from '../../dev/firestore/server.ts';
import { Store } from '../../dev/shared/store.ts';
import { startGoogle } from '../../dev/google/google.ts';
import { serveDeployed, type DeployedFunction } from '../../dev/shared/deployedFunction.ts';
import { deployedEndpoints } from '../../dev/shared/deployMap.ts';
import { exampleRequest, storeExampleWorld } from '../../dev/shared/exampleRequests.ts';
import { idTokenClaims, unsignedToken } from '../../dev/google/idTokens.ts';
import { serviceRequest } from '../../dev/shared/serviceRequest.ts';
import { BUNDLED, LOADED_LATER, requiredBy, UPLOADED } from './expected.ts';
import type { Cloud } from './cloud/cloud.ts';
import { build, unpack } from './platform.ts';
import { runCheck } from './commands.ts';
import type { Workspace } from './workspace.ts';
import { check, checkEnd, checkEqual, step } from './report.ts';
import { PROJECT, projectIn, REGION } from './setting.ts';

/** What the platform leaves of the memory to all but the heap. */
const OUTSIDE_HEAP_MIB = 64;

const WORLD = { uid: 'artist-alice', prefix: 'rehearsed' };

/** Builds the uploaded source and runs each function like the platform; then checks the deploy from outside. */
export async function runUploaded(cloud: Cloud, workspace: Workspace): Promise<void> {
  step('Building the uploaded source like the platform: npm ci, node --check');
  const [archive, ...others] = cloud.archives.values();
  check('one archive was uploaded', archive !== undefined && others.length === 0);
  if (archive === undefined) return;
  const { folder, files } = await unpack(archive);
  try {
    checkEqual('it has exactly these files', files, UPLOADED);
    const read = (path: string) => readFile(join(folder, path), 'utf8');
    const bundle = (await Promise.all(BUNDLED.map(read))).join('\n');
    const manifest = JSON.parse(await read('package.json')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    checkEqual(
      'it installs only the Functions Framework, and the bundle requires only its own files',
      [Object.keys(manifest.dependencies), requiredBy(bundle)],
      [['@google-cloud/functions-framework'], LOADED_LATER],
    );
    await build(folder);
    check('it builds', true);
    await runFunctions(cloud, folder, workspace);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function runFunctions(cloud: Cloud, folder: string, workspace: Workspace): Promise<void> {
  step('Running each function with its deployed variables');
  const embedded = await startEmbeddedFirestore();
  const store = new Store(embedded.address, PROJECT);
  const google = await startGoogle({ projectId: PROJECT, firestoreAddress: embedded.address });
  cloud.origins.set('firestore.googleapis.com', `http://${embedded.address}`);
  const running: DeployedFunction[] = [];
  try {
    for (const deployed of (await projectIn(cloud)).functions) {
      await storeExampleWorld(store, WORLD);
      const { availableMemory, environmentVariables } = deployed.serviceConfig;
      const heap = parseInt(availableMemory, 10) - OUTSIDE_HEAP_MIB;
      const served = await serveDeployed(
        basename(deployed.name),
        {
          ...google.environment,
          NODE_OPTIONS: `--max-old-space-size=${heap}`,
          ...environmentVariables,
        },
        folder,
      );
      running.push(served);
      cloud.origins.set(`${REGION}/${basename(deployed.serviceConfig.service)}`, served.origin);
      await checkResponses(basename(deployed.name), served, google.tokenOf(WORLD.uid));
    }
    const others = [...google.requestCounts.keys()].filter((name) => name.endsWith(' refused'));
    check('functions called only Google', others);

    step('npm run check:deployed');
    const ended = await runCheck(cloud, 'checkDeployed', workspace.folder);
    checkEnd('the functions are new and respond, by Hosting too, and Firestore does', ended, {
      status: 0,
      prints: 'writes and deletes deployChecks/',
    });
  } finally {
    await Promise.all(running.map((each) => each.stop()));
    await google.stop();
    await embedded.stop();
  }
}

async function checkResponses(
  functionId: string,
  { origin }: DeployedFunction,
  token: string,
): Promise<void> {
  const send = async (sent: string) => {
    const request = exampleRequest(functionId, WORLD, sent);
    const { status } = await serviceRequest(`${origin}/api`, request);
    return status;
  };
  const isPublic = deployedEndpoints.some(
    (each) => each.functionId === functionId && each.endpoint.declaration.access === 'public',
  );
  const status = await send(token);
  const toUnsigned = await send(unsignedToken(idTokenClaims(PROJECT, WORLD.uid)));
  check(
    `${functionId.padEnd(38)} ${status}, ${toUnsigned} to an unsigned token, both as documented`,
    status === 200 && toUnsigned === (isPublic ? 200 : 401),
  );
}

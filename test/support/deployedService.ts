import { Firestore } from 'firebase-admin/firestore';
import { startEmbeddedFirestore, type EmbeddedFirestore } from '../emulator/firestore/server.ts';
import { buildFunctionsApart, type FunctionsBuild } from '../emulator/functionsBuild.ts';
import { startGoogle, type Google } from '../emulator/google/google.ts';
import { serveDeployed, type DeployedFunction } from './deployedFunction.ts';
import { deployedEndpoints } from './deployMap.ts';
import { exampleRequest, type ExampleWorld } from './exampleRequests.ts';
import type { RawResponse } from './rawRequest.ts';
import { rootOf, serviceRequest } from './serviceRequest.ts';

/**
 * The whole service as in production: the built functions, each in its own process, and a simulation of Google Cloud.
 */
export interface DeployedService {
  /** Direct access to Firestore with administrator rights, not affected by injected faults. */
  readonly firestore: Firestore;
  readonly google: Google;
  /** Sends the example request of a function in a world, and checks the response against the OpenAPI document. */
  send(functionId: string, world: ExampleWorld): Promise<RawResponse>;
}

const PROJECT = 'tattoo-faults';

/**
 * Serves all or some functions for the tests of one file, over REST and TLS, with access tokens from the metadata
 * server and without emulator variables. `env` are parameters.
 */
export function deployedService(
  env: Readonly<Record<string, string>>,
  functionIds = deployedEndpoints.map(({ functionId }) => functionId),
): DeployedService {
  const served = new Map<string, DeployedFunction>();
  let build: FunctionsBuild | undefined;
  let embedded: EmbeddedFirestore | undefined;
  let google: Google | undefined;
  let firestore: Firestore | undefined;

  beforeAll(async () => {
    build = await buildFunctionsApart();
    embedded = await startEmbeddedFirestore();
    firestore = new Firestore({ projectId: PROJECT, host: embedded.address, ssl: false });
    google = await startGoogle({ projectId: PROJECT, firestoreAddress: embedded.address });
    const environment = {
      ...google.environment,
      PUBLIC_CACHE_SECONDS: '0',
      PAGE_CACHE_SECONDS: '0',
      USER_REQUESTS_PER_MINUTE: '0',
      ...env,
    };
    const { folder } = build;
    await Promise.all(
      functionIds.map(async (functionId) => {
        served.set(functionId, await serveDeployed(functionId, environment, folder));
      }),
    );
  });

  afterAll(async () => {
    await Promise.all([...served.values()].map((each) => each.stop()));
    await google?.stop();
    await firestore?.terminate();
    await embedded?.stop();
    await build?.remove();
  });

  return {
    get firestore() {
      return started(firestore);
    },
    get google() {
      return started(google);
    },
    send: async (functionId, world) => {
      const { origin } = started(served.get(functionId));
      const { path, ...request } = exampleRequest(
        functionId,
        world,
        started(google).tokenOf(world.uid),
      );
      return serviceRequest(rootOf(origin), path, request);
    },
  };
}

function started<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('The service is not running before the first test.');
  return part;
}

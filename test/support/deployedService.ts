import { startEmbeddedFirestore, type EmbeddedFirestore } from '../../dev/firestore/server.ts';
import { Store } from '../../dev/shared/store.ts';
import { buildFunctionsApart, type FunctionsBuild } from '../../dev/functionsBuild.ts';
import { startGoogle, type Google } from '../../dev/google/google.ts';
import { serveDeployed, type DeployedFunction } from '../../dev/shared/deployedFunction.ts';

/** The service as in production: built functions, each in its own process, and a simulation of Google Cloud. */
export interface DeployedService {
  /** The stored documents; not affected by injected faults. */
  readonly store: Store;
  /** `host:port` of that Firestore. */
  readonly firestoreAddress: string;
  readonly google: Google;
  /** Serves a function in its own process until the end of the file; `env` are parameters. */
  serve(functionId: string, env?: Readonly<Record<string, string>>): Promise<DeployedFunction>;
}

const PROJECT = 'tattoo-deployed';

/**
 * Prepares the service for the tests of one file: over REST and TLS, with access tokens from the metadata server and
 * without emulator variables.
 */
export function deployedService(): DeployedService {
  const functions: DeployedFunction[] = [];
  let build: FunctionsBuild | undefined;
  let embedded: EmbeddedFirestore | undefined;
  let google: Google | undefined;

  beforeAll(async () => {
    build = await buildFunctionsApart();
    embedded = await startEmbeddedFirestore();
    google = await startGoogle({ projectId: PROJECT, firestoreAddress: embedded.address });
  });

  afterAll(async () => {
    await Promise.all(functions.map((each) => each.stop()));
    await google?.stop();
    await embedded?.stop();
    await build?.remove();
  });

  return {
    get store() {
      return new Store(started(embedded).address, PROJECT);
    },
    get firestoreAddress() {
      return started(embedded).address;
    },
    get google() {
      return started(google);
    },
    serve: async (functionId, env) => {
      const served = await serveDeployed(
        functionId,
        { ...started(google).environment, USER_REQUESTS_PER_MINUTE: '0', ...env },
        started(build).folder,
      );
      functions.push(served);
      return served;
    },
  };
}

function started<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('The service is not running before the first test.');
  return part;
}

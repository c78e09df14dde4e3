import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import {
  type EmbeddedFirestore,
  startEmbeddedFirestore,
  Store,
} from '@tattoo-marketplace/firestore-embedded';
import { buildFunctionsApart, type FunctionsBuild } from '../../dev/functionsBuild.ts';
import { startGoogle, type Google } from '../../dev/google/google.ts';
import { freePortList, LOOPBACK } from '../../dev/ports.ts';
import { serveDeployed, type DeployedFunction } from '../../dev/deployedFunction.ts';
import type { ResourceUsage } from './probe.ts';

/** The service as in production: built functions, each in its own process, and a simulation of Google Cloud. */
export interface DeployedService {
  /** The stored documents; not affected by injected faults. */
  readonly store: Store;
  readonly google: Google;
  /** Serves a function in its own process until the end of the file; `env` are parameters. */
  serve(functionId: string, env?: Readonly<Record<string, string>>): Promise<DeployedFunction>;
  /** Serves a function with the platform's memory limit, and measures what its process uses. */
  serveMeasured(
    functionId: string,
    env?: Readonly<Record<string, string>>,
  ): Promise<MeasuredFunction>;
}

export interface MeasuredFunction extends DeployedFunction {
  usage(): Promise<ResourceUsage>;
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

  const serve: DeployedService['serve'] = async (functionId, env) => {
    const parameters = { ...started(google).environment, USER_REQUESTS_PER_MINUTE: '0', ...env };
    const served = await serveDeployed(functionId, parameters, started(build).folder);
    functions.push(served);
    return served;
  };

  return {
    get store() {
      return new Store(started(embedded).address, PROJECT);
    },
    get google() {
      return started(google);
    },
    serve,
    serveMeasured: async (functionId, env) => {
      const [port = 0] = await freePortList(1);
      const probe = pathToFileURL('test/support/probe.ts').href;
      const served = await serve(functionId, {
        // The heap that fits into an instance of 512 MiB.
        NODE_OPTIONS: `--max-old-space-size=448 --import ${probe}`,
        PROBE_PORT: String(port),
        ...env,
      });
      const usage = async () => JSON.parse(await text(connect(port, LOOPBACK))) as ResourceUsage;
      return { ...served, usage };
    },
  };
}

function started<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('The service is not running before the first test.');
  return part;
}

import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { startEmbeddedFirestore, EmulatorClient } from '@tattoo-marketplace/firestore-embedded';
import { startFakeGoogle } from '../google/fakeGoogle.ts';
import { findFreePorts, LOOPBACK } from '../../../dev/ports.ts';
import { startFunctionProcess, type FunctionProcess } from './functionProcess.ts';
import type { ResourceUsage } from './resourceProbe.ts';
import { getTestBuild } from './testBuild.ts';

/** A function process whose resources are measured. */
export interface ProbedFunction extends FunctionProcess {
  readonly readUsage: () => Promise<ResourceUsage>;
}

type Parameters = Readonly<Record<string, string>>;

const PROJECT = 'tattoo-built';

/**
 * Starts the service as in production, for the tests of one file: built functions, each in its own process, and a fake of
 * Google Cloud over REST and TLS, with access tokens from the metadata server and without emulator variables.
 */
export function useBuiltService() {
  const processes: FunctionProcess[] = [];
  let services: Awaited<ReturnType<typeof startAll>> | undefined;

  async function startAll() {
    const embedded = await startEmbeddedFirestore();
    const google = await startFakeGoogle({
      projectId: PROJECT,
      firestoreAddress: embedded.address,
    });
    return { embedded, google };
  }

  function getServices() {
    if (services === undefined) throw new Error('The service does not run before the first test.');
    return services;
  }

  beforeAll(async () => {
    services = await startAll();
  });

  afterAll(async () => {
    await Promise.all(processes.map((functionProcess) => functionProcess.stop()));
    await services?.google.stop();
    await services?.embedded.stop();
  });

  /** Serves a function in its own process until the end of the file. */
  async function serve(functionId: string, env?: Parameters): Promise<FunctionProcess> {
    const { google } = getServices();
    const parameters = { ...google.environment, USER_REQUESTS_PER_MINUTE: '0', ...env };
    const functionProcess = await startFunctionProcess(functionId, parameters, getTestBuild());
    processes.push(functionProcess);
    return functionProcess;
  }

  return {
    /** A client of the service's Firestore. Injected faults do not affect it. */
    get store() {
      return new EmulatorClient(getServices().embedded.address, PROJECT);
    },
    get google() {
      return getServices().google;
    },
    serve,
    /**
     * Serves a function with the platform's memory limit, and measures what its process uses. `CLOCK_SLOWDOWN` in `env`
     * makes its timeouts longer (slowClock.ts).
     */
    async serveWithProbe(functionId: string, env?: Parameters): Promise<ProbedFunction> {
      const [port = 0] = await findFreePorts(1);
      const imports = ['resourceProbe', 'slowClock']
        .map((name) => `--import ${pathToFileURL(`test/support/processes/${name}.ts`).href}`)
        .join(' ');
      const functionProcess = await serve(functionId, {
        // The heap that fits into an instance of 512 MiB.
        NODE_OPTIONS: `--max-old-space-size=448 ${imports}`,
        PROBE_PORT: String(port),
        ...env,
      });
      const readUsage = async () =>
        JSON.parse(await text(connect(port, LOOPBACK))) as ResourceUsage;
      return { ...functionProcess, readUsage };
    },
  };
}

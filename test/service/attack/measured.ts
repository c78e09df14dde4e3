import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { startEmbeddedFirestore } from '../../emulator/firestore/server.ts';
import { buildFunctionsApart, type FunctionsBuild } from '../../emulator/functionsBuild.ts';
import { startGoogle, type Google } from '../../emulator/google/google.ts';
import { freePortList, LOOPBACK } from '../../emulator/ports.ts';
import { ROOT } from '../../emulator/root.ts';
import { serveDeployed, type DeployedFunction } from '../../support/deployedFunction.ts';
import type { ResourceUsage } from './probe.ts';

/** A deployed function with measurements of its process. */
export interface MeasuredFunction extends DeployedFunction {
  /** The resources that the process has used since its start. */
  usage(): Promise<ResourceUsage>;
  /** The same with the processor time of one piece of work. */
  measure(work: () => Promise<unknown>): Promise<ResourceUsage>;
}

/** The deployed service and a simulation of Google, for the tests of one file. */
export interface DeployedService {
  readonly google: Google;
  /** `host:port` of Firestore. */
  readonly firestoreAddress: string;
  /** Serves a function in a separate process until the end of the file. */
  serve(functionId: string, env?: Readonly<Record<string, string>>): Promise<MeasuredFunction>;
}

const PROBE = pathToFileURL(join(ROOT, 'test/service/attack/probe.ts')).href;

/**
 * Builds the functions, and serves them like the platform: with its memory limit, its variables and real credentials.
 */
export function deployedService(): DeployedService {
  const closers: (() => unknown)[] = [];
  let google: Google | undefined;
  let firestoreAddress = '';
  let build: FunctionsBuild | undefined;

  beforeAll(async () => {
    const firestore = await startEmbeddedFirestore();
    closers.push(() => firestore.stop());
    firestoreAddress = firestore.address;
    google = await startGoogle({ projectId: 'deployed', firestoreAddress: firestore.address });
    closers.push(() => google?.stop());
    build = await buildFunctionsApart();
    closers.push(() => build?.remove());
  });

  afterAll(async () => {
    for (const close of closers.reverse()) await close();
  });

  return {
    get google() {
      if (google === undefined)
        throw new Error('The service is not running before the first test.');
      return google;
    },
    get firestoreAddress() {
      return firestoreAddress;
    },
    serve: async (functionId, env = {}) => {
      const [port = 0] = await freePortList(1);
      const deployed = await serveDeployed(
        functionId,
        {
          // The heap that fits into an instance of 512 MiB.
          NODE_OPTIONS: `--max-old-space-size=448 --import ${PROBE}`,
          PROBE_PORT: String(port),
          ...google?.environment,
          USER_REQUESTS_PER_MINUTE: '0',
          ...env,
        },
        build?.folder ?? '',
      );
      closers.push(() => deployed.stop());
      const usage = async () => JSON.parse(await text(connect(port, LOOPBACK))) as ResourceUsage;
      return {
        ...deployed,
        usage,
        measure: async (work) => {
          const before = await usage();
          await work();
          const after = await usage();
          return { ...after, processorMs: after.processorMs - before.processorMs };
        },
      };
    },
  };
}

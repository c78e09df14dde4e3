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
import type { Needs } from './probe.ts';

/** A deployed function whose needs are measured. */
export interface MeasuredFunction extends DeployedFunction {
  /** What the process has needed so far. */
  needs(): Promise<Needs>;
  /** What it needed for some work: processor time, and the longest pause. */
  neededFor(work: () => Promise<unknown>): Promise<Needs>;
}

/** The service as it is built for the deploy, on a stand-in for Google, for the tests of one file. */
export interface DeployedService {
  readonly google: Google;
  /** `host:port` of the Firestore. */
  readonly firestoreAddress: string;
  /** Serves a function in a process of its own until the end of the file. */
  serve(functionId: string, env?: Readonly<Record<string, string>>): Promise<MeasuredFunction>;
}

const PROBE = pathToFileURL(join(ROOT, 'test/service/attack/probe.ts')).href;

/** Builds the functions, and serves them as the platform does: with its memory, its variables and real credentials. */
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
      if (google === undefined) throw new Error('The service starts before the first test.');
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
          // What 512 MiB of memory leave for objects.
          NODE_OPTIONS: `--max-old-space-size=448 --import ${PROBE}`,
          PROBE_PORT: String(port),
          ...google?.environment,
          USER_REQUESTS_PER_MINUTE: '0',
          ...env,
        },
        build?.folder ?? '',
      );
      closers.push(() => deployed.stop());
      const needs = async () => JSON.parse(await text(connect(port, LOOPBACK))) as Needs;
      return {
        ...deployed,
        needs,
        neededFor: async (work) => {
          const before = await needs();
          await work();
          const after = await needs();
          return { ...after, processorMs: after.processorMs - before.processorMs };
        },
      };
    },
  };
}

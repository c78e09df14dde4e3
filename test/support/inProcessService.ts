import { setImmediate } from 'node:timers/promises';
import { deleteApp, getApps } from 'firebase-admin/app';
import { Firestore } from 'firebase-admin/firestore';
import { connectToControl, type Control } from '../emulator/firestore/control.ts';
import { startEmbeddedFirestore } from '../emulator/firestore/server.ts';
import { deployedEndpoints } from './deployMap.ts';
import { functionsEnvironment } from './functionsEnvironment.ts';
import { noKeyServer, publishKeys } from './googleKeys.ts';
import { idTokenClaims, signedToken, signingKey } from '../emulator/google/idTokens.ts';
import { serveInProcess, type ServedEndpoint } from './inProcess.ts';
import type { RawAnswer } from './rawRequest.ts';
import { rootOf, serviceRequest } from './serviceRequest.ts';
import { layWire, type Wire } from './wire.ts';

const KEY = signingKey('key-1');

/** The whole service in this process, as it is deployed, on a Firestore of its own. */
export interface InProcessService {
  readonly projectId: string;
  /** The Firestore as an administrator sees it. */
  readonly firestore: Firestore;
  /** The meter of that Firestore, and what goes wrong with it. */
  readonly control: Control;
  /** The wire over which the service reaches it. */
  readonly wire: Wire;
  /** The address at whose root a function answers. */
  originOf(functionId: string): string;
  /** An ID token of a user, signed with a key that stands for Google's. */
  tokenOf(uid: string): string;
  /** A token with any claims, signed with that key. */
  tokenWith(claims: unknown): string;
  /** Sends a request to a function, and holds the answer to the OpenAPI document. */
  send(
    functionId: string,
    path: string,
    options?: Parameters<typeof serviceRequest>[2],
  ): Promise<RawAnswer>;
}

/**
 * Serves all twelve functions in this process by the Functions Framework, with real verification of tokens, for the
 * tests of one file: hundreds of requests cost here what a few cost on the emulators. `env` are parameters.
 */
export function inProcessService(env: Readonly<Record<string, string>> = {}): InProcessService {
  const projectId = 'demo-in-process';
  const served = new Map<string, ServedEndpoint>();
  const closers: (() => unknown)[] = [];
  let firestore: Firestore | undefined;
  let control: Control | undefined;
  let wire: Wire | undefined;

  functionsEnvironment(projectId, {
    NODE_ENV: 'production',
    DEADLINE_SECONDS: '30',
    PUBLIC_CACHE_SECONDS: '0',
    PAGE_CACHE_SECONDS: '0',
    ALLOWED_ORIGINS: '*',
    ...env,
  });

  beforeAll(async () => {
    const embedded = await startEmbeddedFirestore();
    wire = await layWire(embedded.address);
    publishKeys(KEY);
    // Not over the wire: a test looks at what is stored while it is cut.
    delete process.env.FIRESTORE_EMULATOR_HOST;
    firestore = new Firestore({ projectId, host: embedded.address, ssl: false });
    await firestore.listCollections();
    process.env.FIRESTORE_EMULATOR_HOST = wire.address;
    control = connectToControl(embedded.address);
    closers.push(
      () => firestore?.terminate(),
      () => control?.close(),
      () => wire?.cut(),
      () => embedded.stop(),
    );
    for (const { functionId, endpoint } of deployedEndpoints) {
      served.set(functionId, await serveInProcess(endpoint));
    }
  });

  afterAll(async () => {
    for (const endpoint of served.values()) await endpoint.stop();
    // The SDK does not wait for the rollback of a transaction that was refused, and would try for minutes to send it.
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    await Promise.all(getApps().map((app) => deleteApp(app)));
    for (const close of closers) await close();
    noKeyServer();
  });

  function originOf(functionId: string): string {
    const endpoint = served.get(functionId);
    if (endpoint === undefined) throw new Error(`There is no function ${functionId}.`);
    return endpoint.origin;
  }

  return {
    projectId,
    get firestore() {
      return started(firestore);
    },
    get control() {
      return started(control);
    },
    get wire() {
      return started(wire);
    },
    originOf,
    tokenOf: (uid) => signedToken(KEY, idTokenClaims(projectId, uid)),
    tokenWith: (claims) => signedToken(KEY, claims),
    send: (functionId, path, options) =>
      serviceRequest(rootOf(originOf(functionId)), path, options),
  };
}

function started<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('The service starts before the first test.');
  return part;
}

import {
  type EmbeddedFirestore,
  startEmbeddedFirestore,
  Store,
} from '@tattoo-marketplace/firestore-embedded';
import { deployedEndpoints } from '../../functions/service.ts';
import { requestOf, type RequestParts } from '../../demo/exampleRequests.ts';
import { functionsEnvironment } from '../../dev/testing/functionsEnvironment.ts';
import { publishKeys } from '../../dev/testing/simulatedGoogle.ts';
import { idTokenClaims, signedToken, signingKey } from '../../dev/google/idTokens.ts';
import { serveInProcess, type ServedEndpoint } from '../../dev/testing/servedEndpoint.ts';
import type { RawResponse } from '../../dev/testing/rawRequest.ts';
import { serviceRequest, type ServiceRequest } from './documented.ts';

const KEY = signingKey('key-1');

/** The whole service in this process, with its own Firestore. */
export interface InProcessService {
  readonly projectId: string;
  /** The stored documents, and what was used. */
  readonly store: Store;
  /** An ID token of a user, signed with a key of the simulated key server. */
  tokenOf(uid: string): string;
  /** A token with any claims, signed with that key. */
  tokenWith(claims: unknown): string;
  /** Sends a request with these parts to a function, as a user who is signed in. */
  call(functionId: string, parts: RequestParts, uid: string): Promise<RawResponse>;
  /** Sends a request to a function, and checks the response against the OpenAPI document. */
  send(functionId: string, request: ServiceRequest): Promise<RawResponse>;
}

/**
 * Serves all functions in this process with the Functions Framework and real token verification, for the tests of one
 * file. Hundreds of requests take as long here as a few on the emulators. `env` are parameters. `official` is the
 * `host:port` of Google's emulator, to use that instead of the embedded Firestore.
 */
export function inProcessService(
  env: Readonly<Record<string, string>> = {},
  official?: string,
): InProcessService {
  const projectId = 'demo-in-process';
  const served = new Map<string, ServedEndpoint>();
  const tokens = new Map<string, string>();
  const notices: string[] = [];
  let embedded: EmbeddedFirestore | undefined;
  let store: Store | undefined;

  functionsEnvironment(projectId, {
    NODE_ENV: 'production',
    DEADLINE_SECONDS: '30',
    PUBLIC_CACHE_SECONDS: '0',
    PAGE_CACHE_SECONDS: '0',
    USER_REQUESTS_PER_MINUTE: '0',
    ALLOWED_ORIGINS: '*',
    ...env,
  });

  beforeAll(async () => {
    embedded = official
      ? undefined
      : await startEmbeddedFirestore({
          indexes: 'firestore.indexes.json',
          onNotice: (text) => notices.push(text),
        });
    const address = official ?? embedded?.address ?? '';
    store = new Store(address, projectId);
    process.env.FIRESTORE_EMULATOR_HOST = address;
    publishKeys(KEY);
    for (const { functionId, endpoint } of deployedEndpoints) {
      served.set(functionId, await serveInProcess(endpoint));
    }
  });

  afterEach(() => {
    // What production would refuse: a query without its index.
    const [notice] = notices.splice(0);
    if (notice !== undefined) throw new Error(notice);
  });

  afterAll(async () => {
    for (const endpoint of served.values()) await endpoint.stop();
    await embedded?.stop();
  });

  function tokenOf(uid: string): string {
    const token = tokens.get(uid) ?? signedToken(KEY, idTokenClaims(projectId, uid));
    tokens.set(uid, token);
    return token;
  }

  const send: InProcessService['send'] = (functionId, request) =>
    serviceRequest(started(served.get(functionId)).origin, request);

  return {
    projectId,
    get store() {
      return started(store);
    },
    tokenOf,
    tokenWith: (claims) => signedToken(KEY, claims),
    call: (functionId, parts, uid) => send(functionId, requestOf(functionId, parts, tokenOf(uid))),
    send,
  };
}

function started<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('The service is not running before the first test.');
  return part;
}

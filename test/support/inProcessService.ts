import { startEmbeddedFirestore, LocalFirestore } from '@tattoo-marketplace/firestore-embedded';
import { parseIndexes } from '../../dev/configFiles.ts';
import { endpoints } from '../../functions/service.ts';
import { useFunctionsEnvironment } from '../../dev/testing/functionsEnvironment.ts';
import { publishKeys } from '../../dev/testing/stubGoogle.ts';
import { createIdTokenClaims, signToken, createSigningKey } from '../../dev/fakeGoogle/idTokens.ts';
import { serveInProcess, type ServedEndpoint } from '../../dev/testing/servedEndpoint.ts';
import { serviceRequest, type ServiceRequest } from './openapi.ts';

const KEY = createSigningKey('key-1');

/**
 * Serves all functions in this process with the Functions Framework and real token verification, for the tests of one
 * file. Hundreds of requests take as long here as a few on the emulators. `emulatorHost` is the
 * `host:port` of a Firestore emulator to use instead of the embedded Firestore.
 */
export function useInProcessService(emulatorHost?: string) {
  const projectId = 'demo-in-process';
  const served = new Map<string, ServedEndpoint>();
  const tokens = new Map<string, string>();
  const notices: string[] = [];
  let stopFirestore: () => Promise<unknown> = () => Promise.resolve();
  let address = emulatorHost ?? '';

  useFunctionsEnvironment(projectId, {
    NODE_ENV: 'production',
    DEADLINE_SECONDS: '30',
    PUBLIC_CACHE_SECONDS: '0',
    PAGE_CACHE_SECONDS: '0',
    USER_REQUESTS_PER_MINUTE: '0',
    ALLOWED_ORIGINS: '*',
  });

  beforeAll(async () => {
    if (emulatorHost === undefined) {
      const onNotice = (text: string) => notices.push(text);
      const embedded = await startEmbeddedFirestore({
        readIndexes: () => parseIndexes().indexes,
        onWarning: onNotice,
      });
      ({ address } = embedded);
      stopFirestore = () => embedded.stop();
    }
    process.env.FIRESTORE_EMULATOR_HOST = address;
    publishKeys(KEY);
    for (const { functionId, endpoint } of endpoints) {
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
    await stopFirestore();
  });

  return {
    projectId,
    /** The stored documents, and what was used. */
    get store() {
      return new LocalFirestore(address, projectId);
    },
    /** An ID token of a user, signed with a key of the simulated key server. */
    createIdToken(uid: string): string {
      const token = tokens.get(uid) ?? signToken(KEY, createIdTokenClaims(projectId, uid));
      tokens.set(uid, token);
      return token;
    },
    /** A token with any claims, signed with that key. */
    signIdToken: (claims: unknown) => signToken(KEY, claims),
    /** Sends a request to a function, and checks the response against the OpenAPI document. */
    send: (functionId: string, request: ServiceRequest) =>
      serviceRequest(served.get(functionId)?.origin ?? '', request),
  };
}

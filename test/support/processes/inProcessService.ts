import { startEmbeddedFirestore, EmulatorClient } from '@tattoo-marketplace/firestore-embedded';
import { createIdTokenClaims, createSigningKey, signToken } from '../google/idTokens.ts';
import { parseIndexes } from '../../../dev/configFiles.ts';
import { useFunctionsEnvironment } from '../jest/isolateEnvironment.ts';
import type { RawResponse } from '../requests/sendRawRequest.ts';
import { serveInProcess, type ServedEndpoint } from './servedEndpoint.ts';
import { publishKeys } from '../google/stubGoogle.ts';
import { endpoints } from '../../../functions/service.ts';
import { sendServiceRequest, type ServiceRequest } from '../requests/openapi.ts';

const KEY = createSigningKey('key-1');

/**
 * Serves all functions in this process with the Functions Framework and real token verification, for the tests of one
 * file. Hundreds of requests take as long here as a few on the emulators. `emulatorHost` is the `host:port` of a Firestore
 * emulator to use instead of the embedded Firestore.
 */
export function useInProcessService(emulatorHost?: string) {
  const projectId = 'demo-in-process';
  const servedEndpoints = new Map<string, ServedEndpoint>();
  const tokens = new Map<string, string>();
  const indexWarnings: string[] = [];
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
      const embedded = await startEmbeddedFirestore({
        readIndexes: () => parseIndexes().indexes,
        onWarning: (warning: string) => indexWarnings.push(warning),
      });
      ({ address } = embedded);
      stopFirestore = () => embedded.stop();
    }
    process.env.FIRESTORE_EMULATOR_HOST = address;
    publishKeys(KEY);
    for (const { functionId, endpoint } of endpoints) {
      servedEndpoints.set(functionId, await serveInProcess(endpoint));
    }
  });

  afterEach(() => {
    // Production would reject a query without its index.
    const [warning] = indexWarnings.splice(0);
    if (warning !== undefined) throw new Error(warning);
  });

  afterAll(async () => {
    for (const endpoint of servedEndpoints.values()) await endpoint.stop();
    await stopFirestore();
  });

  return {
    projectId,
    /** A client of the service's Firestore. */
    get store() {
      return new EmulatorClient(address, projectId);
    },
    /** Creates an ID token of a user, signed with a key that the stub of Google publishes. */
    createIdToken(uid: string): string {
      const token = tokens.get(uid) ?? signToken(KEY, createIdTokenClaims(projectId, uid));
      tokens.set(uid, token);
      return token;
    },
    /** Signs an ID token with any claims. */
    signIdToken: (claims: unknown) => signToken(KEY, claims),
    /** Sends a request to a function, and checks the response against the OpenAPI document. */
    send: (functionId: string, request: ServiceRequest): Promise<RawResponse> =>
      sendServiceRequest(servedEndpoints.get(functionId)?.origin ?? '', request),
  };
}

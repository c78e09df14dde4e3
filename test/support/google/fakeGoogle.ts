/**
 * A fake of all Google services that a deployed function calls. A built function runs with it as in production: over REST and
 * TLS, with credentials and token verification, and without emulator variables. `environment` redirects a process to the
 * fake: it enables Node's proxy support, trusts the fake's certificate, and sets the address of the metadata server, which
 * issues access tokens. Tests can inject network faults.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, listen, LOOPBACK } from '../../../dev/ports.ts';
import { startTlsProxy } from './tlsProxy.ts';
import { FaultInjector } from './faultInjector.ts';
import {
  createAppCheckClaims,
  createIdTokenClaims,
  signToken,
  createSigningKey,
} from './idTokens.ts';
import {
  createFakeErrorResponse,
  createFakeResponse,
  forwardToEmulator,
  type FakeResponse,
} from './responses.ts';

const KEYS = '/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com';

/** A running fake of Google. */
export type FakeGoogle = Awaited<ReturnType<typeof startFakeGoogle>>;

/** Options of the fake. */
interface FakeGoogleOptions {
  readonly projectId: string;
  /** `host:port` of the Firestore emulator to which the fake forwards calls. */
  readonly firestoreAddress: string;
  /** Calls Firestore. Default: forwards the call to the emulator. */
  readonly callFirestore?: typeof forwardToEmulator;
}

/** Responds to the requests of a host. */
type Host = (
  url: string,
  body: string,
  authorization?: string,
) => FakeResponse | Promise<FakeResponse>;

/** Starts a fake of Google on free local ports. */
export async function startFakeGoogle({
  projectId,
  firestoreAddress,
  callFirestore = forwardToEmulator,
}: FakeGoogleOptions) {
  const key = createSigningKey(randomUUID());
  const { id, publicKey } = key;
  const requestCounts = new Map<string, number>();
  const faultInjector = new FaultInjector();
  let tokenNumber = 1;

  const getAccessToken = () => `access-token-${tokenNumber}`;

  function countRequest(name: string): void {
    requestCounts.set(name, (requestCounts.get(name) ?? 0) + 1);
  }

  /** The hosts that a deployed function calls, and the metadata server. */
  const hosts: Readonly<Record<string, Host>> = {
    'firestore.googleapis.com': (url, body, authorization) =>
      authorization === `Bearer ${getAccessToken()}`
        ? callFirestore(firestoreAddress, url, body)
        : createFakeErrorResponse(401),
    'www.googleapis.com': (url) =>
      url === KEYS
        ? createFakeResponse({ [id]: publicKey.export({ type: 'spki', format: 'pem' }) })
        : createFakeErrorResponse(404),
    'firebaseappcheck.googleapis.com': () =>
      createFakeResponse({
        keys: [{ ...publicKey.export({ format: 'jwk' }), kid: id, alg: 'RS256' }],
      }),
    'identitytoolkit.googleapis.com': (_url, body) => {
      const { localId } = JSON.parse(body) as { localId?: readonly string[] };
      return createFakeResponse({ users: (localId ?? []).map((uid) => ({ localId: uid })) });
    },
    metadata: (url) =>
      url.includes('/token')
        ? createFakeResponse({
            access_token: getAccessToken(),
            expires_in: 3600,
            token_type: 'Bearer',
          })
        : createFakeErrorResponse(404),
  };

  async function serve(
    host: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { url = '/', headers } = request;
    const body = await text(request);
    const call = new URL(url, 'https://google').pathname.replace(/^.*[/:]/, '');
    const execute = async () =>
      hosts[host]?.(url, body, headers.authorization) ?? createFakeErrorResponse(404);
    const handled = faultInjector.handle({
      host,
      call,
      content: `${url} ${body}`,
      response,
      execute,
    });
    // Count the request after its fault has started: code that waits for the count may release the fault.
    countRequest(`${host} ${call}`);
    await handled;
  }

  function accepts(host: string): boolean {
    if (host in hosts) return true;
    countRequest(`${host} rejected`);
    return false;
  }

  const proxy = await startTlsProxy(
    Object.keys(hosts),
    (request, response) => {
      serve(request.headers.host ?? '', request, response).catch(() => response.destroy());
    },
    accepts,
  );
  const metadata = createServer((request, response) => {
    response.setHeader('Metadata-Flavor', 'Google');
    serve('metadata', request, response).catch(() => response.destroy());
  });

  return {
    /** The environment variables that redirect a process to the fake. */
    environment: {
      ...proxy.environment,
      GCE_METADATA_HOST: `${LOOPBACK}:${await listen(metadata)}`,
      METADATA_SERVER_DETECTION: 'assume-present',
      GCLOUD_PROJECT: projectId,
    },
    /** The number of requests by host and call: `firestore.googleapis.com runQuery`. For an unknown host: `HOST rejected`. */
    requestCounts: requestCounts as ReadonlyMap<string, number>,
    faultInjector,
    /** Expires the current access token: Firestore returns 401 until a new one is fetched. */
    expireAccessTokens: () => {
      tokenNumber += 1;
    },
    createIdToken: (uid: string) => signToken(key, createIdTokenClaims(projectId, uid)),
    createAppCheckToken: () => signToken(key, createAppCheckClaims(projectId)),
    stop: async () => {
      await close(metadata);
      await proxy.stop();
    },
  };
}

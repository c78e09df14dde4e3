/**
 * A stub of Google's hosts in this process, for sign-in and App Check. Node's agents connect all HTTPS requests to it, without
 * TLS. It is also the metadata server, which issues access tokens, and the Auth emulator. A request to a host without a
 * responder fails.
 */
import { once } from 'node:events';
import { Agent } from 'node:https';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { deleteApp, getApps } from 'firebase-admin/app';
import { close, listen, LOOPBACK } from '../../../dev/ports.ts';
import type { SigningKey } from './idTokens.ts';
import { resetConnection, respondJson, type Responder } from './stubServer.ts';

/** The hosts of the stub. */
export const HOSTS = {
  /** Publishes the keys of ID tokens (https://firebase.google.com/docs/auth/admin/verify-id-tokens). */
  idTokenKeys: 'www.googleapis.com',
  /** Publishes the keys of App Check tokens (https://firebase.google.com/docs/app-check/custom-resource-backend). */
  appCheckKeys: 'firebaseappcheck.googleapis.com',
  /** Looks up accounts. */
  accounts: 'identitytoolkit.googleapis.com',
  /** Issues access tokens. */
  metadata: 'metadata.google.internal',
} as const;

const createConnection: unknown = Reflect.get(Agent.prototype, 'createConnection');
/** Issues a token that expires too soon to be cached. */
const issueToken = respondJson({ access_token: 'a-token', expires_in: 1 });
const responders = new Map<string, Responder>();
const openResponses = new Set<ServerResponse>();
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    const { url = '', headers } = request;
    // The Auth emulator has Google's host name in the path.
    const host = url.startsWith(`/${HOSTS.accounts}/`) ? HOSTS.accounts : (headers.host ?? '');
    const respond = url.startsWith('/computeMetadata/')
      ? (responders.get(HOSTS.metadata) ?? issueToken)
      : (responders.get(host) ?? resetConnection);
    openResponses.add(response);
    response.once('close', () => openResponses.delete(response));
    respond(response, request);
  });
  const port = await listen(server);
  Object.assign(Agent.prototype, { createConnection: () => connect(port, LOOPBACK) });
  process.env.GCE_METADATA_HOST = `${LOOPBACK}:${port}`;
});

afterAll(async () => {
  await resetStubs();
  Object.assign(Agent.prototype, { createConnection });
  Reflect.deleteProperty(process.env, 'GCE_METADATA_HOST');
  await close(server);
});

/** Sets the responses of a host, until `resetStubs`. Returns the number of requests to it since then. */
export function stubHost(host: string, respond: Responder): { readonly count: number } {
  const requests = { count: 0 };
  responders.set(host, (response, request) => {
    requests.count += 1;
    respond(response, request);
  });
  return requests;
}

/** Counts the open connections to the stub. */
export async function countOpenConnections(): Promise<number> {
  return promisify(server.getConnections.bind(server))();
}

/** Publishes a key of ID tokens and of App Check tokens, until `resetStubs`. Returns the numbers of requests for them. */
export function publishKeys({ id, publicKey }: SigningKey) {
  const idTokenKeys = stubHost(HOSTS.idTokenKeys, (response, request) => {
    response.setHeader('Cache-Control', 'public, max-age=3600');
    respondJson({ [id]: publicKey.export({ type: 'spki', format: 'pem' }) })(response, request);
  });
  const key = { ...publicKey.export({ format: 'jwk' }), kid: id, alg: 'RS256', use: 'sig' };
  const appCheckKeys = stubHost(HOSTS.appCheckKeys, respondJson({ keys: [key] }));
  return { idTokenKeys, appCheckKeys };
}

/** Removes all responders, fails the requests that hang, and deletes the apps of the Admin SDK with their cached keys. */
export async function resetStubs(): Promise<void> {
  responders.clear();
  for (const response of openResponses) {
    // Respond with an error: after a reset connection, the SDK would retry.
    if (!response.headersSent) response.writeHead(500).end();
    await once(response, 'close');
  }
  await Promise.all(getApps().map((app) => deleteApp(app)));
}

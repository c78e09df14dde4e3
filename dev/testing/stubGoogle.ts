/**
 * Google's hosts, as far as sign-in and App Check need them, in this process: Node's agents connect every HTTPS request
 * to a server here, without TLS. It is also the metadata server, which issues access tokens, and the Auth
 * emulator. A request to another host without a reaction fails.
 */
import { once } from 'node:events';
import { Agent } from 'node:https';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { deleteApp, getApps } from 'firebase-admin/app';
import { close, listen, LOOPBACK } from '../ports.ts';
import type { SigningKey } from '../fakeGoogle/idTokens.ts';
import { resetConnection, respondJson, type Responder } from './stubServer.ts';

/** The simulated hosts. */
export const HOSTS = {
  /** Publishes the keys of ID tokens (https://firebase.google.com/docs/auth/admin/verify-id-tokens). */
  idTokenKeys: 'www.googleapis.com',
  /** Publishes those of App Check (https://firebase.google.com/docs/app-check/custom-resource-backend). */
  appCheckKeys: 'firebaseappcheck.googleapis.com',
  /** Looks up accounts. */
  accounts: 'identitytoolkit.googleapis.com',
  /** Issues access tokens. */
  metadata: 'metadata.google.internal',
} as const;

const createConnection: unknown = Reflect.get(Agent.prototype, 'createConnection');
/** A token that expires so soon is not cached. */
const issueToken = respondJson({ access_token: 'a-token', expires_in: 1 });
const responders = new Map<string, Responder>();
const openResponses = new Set<ServerResponse>();
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    const { url = '', headers } = request;
    // The Auth emulator has Google's host name in the path.
    const host = url.startsWith(`/${HOSTS.accounts}/`) ? HOSTS.accounts : (headers.host ?? '');
    const reaction = url.startsWith('/computeMetadata/')
      ? (responders.get(HOSTS.metadata) ?? issueToken)
      : (responders.get(host) ?? resetConnection);
    openResponses.add(response);
    response.once('close', () => openResponses.delete(response));
    reaction(response, request);
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

/** Sets how a host reacts, until `resetGoogle`; returns how many requests it has got since. */
export function stubHost(host: string, reaction: Responder): { readonly count: number } {
  const requests = { count: 0 };
  responders.set(host, (response, request) => {
    requests.count += 1;
    reaction(response, request);
  });
  return requests;
}

/** How many connections to the simulated hosts are open. */
export async function countOpenConnections(): Promise<number> {
  return promisify(server.getConnections.bind(server))();
}

/** Publishes a key of ID tokens and of App Check tokens, until `resetGoogle`. */
export function publishKeys({ id, publicKey }: SigningKey): void {
  stubHost(HOSTS.idTokenKeys, (response, request) => {
    response.setHeader('Cache-Control', 'public, max-age=3600');
    respondJson({ [id]: publicKey.export({ type: 'spki', format: 'pem' }) })(response, request);
  });
  const key = { ...publicKey.export({ format: 'jwk' }), kid: id, alg: 'RS256', use: 'sig' };
  stubHost(HOSTS.appCheckKeys, respondJson({ keys: [key] }));
}

/**
 * Makes every request to a simulated host fail, also those that hang, and the Admin SDK forget the keys that it has
 * fetched.
 */
export async function resetStubs(): Promise<void> {
  responders.clear();
  for (const response of openResponses) {
    // Not by breaking off: then the SDK would try again.
    if (!response.headersSent) response.writeHead(500).end();
    await once(response, 'close');
  }
  await Promise.all(getApps().map((app) => deleteApp(app)));
}

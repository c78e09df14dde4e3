/**
 * Simulates all Google services that a deployed function calls, so that the deployed package can run locally like in
 * production: over REST and TLS, with credentials and token verification, and without emulator variables. Only
 * `environment` redirects a process to it: Node's proxy support, a trusted certificate, and the address of the metadata
 * server, which issues access tokens. Tests can inject network faults.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { generate } from 'selfsigned';
import {
  appCheckClaims,
  idTokenClaims,
  signedToken,
  signingKey,
  type SigningKey,
} from './idTokens.ts';
import { LOOPBACK } from '../ports.ts';
import { AccessTokens } from './accessTokens.ts';
import { errorOf, json, type Reply } from './answer.ts';
import { deliver } from './delivery.ts';
import { HOSTS, WireFaults, type FaultTarget, type WireFault } from './faults.ts';
import { Gate } from './gate.ts';
import { passOnTo } from './passOn.ts';
import { SeenRequests, type SeenRequest } from './seenRequests.ts';

const KEYS = '/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com';

/** The calls whose responses Google streams. */
const LISTS = new Set(['runQuery', 'runAggregationQuery', 'batchGet']);

/** How long Google's front end leaves an idle connection open. */
const KEEP_ALIVE_MS = 240_000;

/** The running simulation. */
export interface Google {
  /** The environment variables that redirect a process to the simulation. */
  readonly environment: Readonly<Record<string, string>>;
  /** The number of requests by host and call: `firestore.googleapis.com runQuery`. Other hosts are rejected. */
  readonly requestCounts: ReadonlyMap<string, number>;
  /** The requests in order of arrival; only the first ones if responses are replayed. */
  readonly requests: readonly SeenRequest[];
  /** Resolves when this many such requests have arrived since the start. */
  seen(host: FaultTarget, call: string, times: number): Promise<void>;
  /** Injects a fault from now on. If several match a request, the first one applies. */
  fault(fault: WireFault): void;
  /** Removes all faults, or those of requests about this. Requests that hang or are delayed stay so. */
  heal(about?: string): Promise<void>;
  /** Releases delayed requests in order of arrival; resolves when all of them are executed. */
  release(): Promise<void>;
  /** Expires the current access token: Firestore returns 401 until a new one is fetched. */
  expireAccessTokens(): void;
  /** An ID token of a user. */
  tokenOf(uid: string): string;
  /** An App Check token of an app of the project. */
  appCheckToken(): string;
  stop(): Promise<void>;
}

/** Options of the simulation. */
export interface GoogleOptions {
  readonly projectId: string;
  /** `host:port` of the Firestore emulator behind it. */
  readonly firestoreAddress: string;
  /** Whether to record and replay responses, even for writes, so that a benchmark does not measure the database. */
  readonly replays?: boolean;
}

// Slow to generate, and the same for every simulation in a process.
let key: SigningKey | undefined;
let certificate: ReturnType<typeof generate> | undefined;

/** Starts a simulation of Google on free local ports. */
export async function startGoogle({
  projectId,
  firestoreAddress,
  replays = false,
}: GoogleOptions): Promise<Google> {
  const published = (key ??= signingKey(randomUUID()));
  const { private: tlsKey, cert } = await (certificate ??= newCertificate());
  const firestore = passOnTo(firestoreAddress);
  const tokens = new AccessTokens();
  const seen = new SeenRequests();
  const faults = new WireFaults();
  const gate = new Gate();
  const recorded = new Map<string, Promise<Reply>>();

  async function callFirestore(path: string, body: string): Promise<Reply> {
    if (!replays) return firestore.post(path, body);
    const name = `${path} ${sameForAll(path, body)}`;
    const reply = recorded.get(name) ?? firestore.post(path, body);
    recorded.set(name, reply);
    return reply;
  }

  /** The response of a host. */
  async function replyOf(
    host: string,
    { url = '/', headers }: IncomingMessage,
    body: string,
    signing: SigningKey,
  ): Promise<Reply> {
    switch (host) {
      case 'firestore.googleapis.com':
        if (!tokens.isValid(headers.authorization)) return json(errorOf(401), 401);
        return callFirestore(url, body);
      case 'www.googleapis.com':
        if (url !== KEYS) return notFound();
        return json({ [signing.id]: signing.publicKey.export({ type: 'spki', format: 'pem' }) });
      case 'firebaseappcheck.googleapis.com': {
        const jwk = signing.publicKey.export({ format: 'jwk' });
        return json({ keys: [{ ...jwk, kid: signing.id, alg: 'RS256' }] });
      }
      case 'identitytoolkit.googleapis.com': {
        const { localId } = JSON.parse(body) as { localId?: readonly string[] };
        return json({ users: (localId ?? []).map((uid) => ({ localId: uid })) });
      }
      case 'metadata':
        if (url.endsWith('/project-id')) {
          return { status: 200, body: Buffer.from(projectId), type: 'application/text' };
        }
        if (!url.includes('/token')) return notFound();
        return json({ access_token: tokens.current, expires_in: 3600, token_type: 'Bearer' });
      default:
        return notFound();
    }
  }

  async function serve(
    host: string,
    request: IncomingMessage,
    response: ServerResponse,
    reset: () => void,
  ): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'https://google');
    const call = pathname.replace(/^.*[/:]/, '');
    const body = await text(request);
    const fault = faults.ofRequest(host, call, `${request.url ?? ''} ${body}`);
    const signing = fault?.kind === 'another key' ? signingKey(randomUUID()) : published;
    const execute = async () => replyOf(host, request, body, signing);
    const delivered = deliver({ response, isList: LISTS.has(call), execute, reset, gate }, fault);
    // Not earlier: code that waits for the request may then release it.
    if (replays) seen.count(`${host} ${call}`);
    else seen.add(host, call);
    await delivered;
  }

  // The TCP connections to a host by client port, so that connections below TLS can be reset.
  const tunnels = new Map<number, { readonly host: string; readonly socket: Socket }>();
  const hosts = createTlsServer(
    { key: tlsKey, cert, keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => {
      const reset = () => tunnels.get(request.socket.remotePort ?? 0)?.socket.resetAndDestroy();
      serve(request.headers.host ?? '', request, response, reset).catch(() => response.destroy());
    },
  );

  const proxy = createServer((_request, response) => response.writeHead(502).end());
  proxy.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const [host = ''] = (request.url ?? '').split(':');
    if (!HOSTS.some((known) => known === host)) {
      seen.count(`${host} refused`);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    if (faults.refuses(host)) {
      socket.resetAndDestroy();
      return;
    }
    const port = socket.remotePort ?? 0;
    tunnels.set(port, { host, socket });
    socket.once('close', () => tunnels.delete(port));
    socket.on('error', () => socket.destroy());
    socket.setNoDelay(true);
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) socket.unshift(head);
    hosts.emit('connection', socket);
  });
  const proxyPort = await listen(proxy);

  const metadata = createServer((request, response) => {
    response.setHeader('Metadata-Flavor', 'Google');
    const reset = () => request.socket.resetAndDestroy();
    serve('metadata', request, response, reset).catch(() => response.destroy());
  });
  const metadataPort = await listen(metadata);

  const folder = await mkdtemp(join(tmpdir(), 'google-'));
  const certificateFile = join(folder, 'certificate.pem');
  await writeFile(certificateFile, cert);

  function resetTunnels(isMeant: (host: string) => boolean): void {
    for (const { host, socket } of tunnels.values()) if (isMeant(host)) socket.resetAndDestroy();
  }

  return {
    environment: {
      NODE_USE_ENV_PROXY: '1',
      HTTPS_PROXY: `http://${LOOPBACK}:${proxyPort}`,
      NO_PROXY: LOOPBACK,
      NODE_EXTRA_CA_CERTS: certificateFile,
      GCE_METADATA_HOST: `${LOOPBACK}:${metadataPort}`,
      METADATA_SERVER_DETECTION: 'assume-present',
      GCLOUD_PROJECT: projectId,
    },
    requestCounts: seen.counts,
    requests: seen.list,
    seen: async (host, call, times) => seen.reached(host, call, times),
    fault: (fault) => {
      faults.inject(fault);
      if (fault.kind !== 'refused') return;
      if (fault.host === 'metadata') close(metadata);
      else resetTunnels((host) => host === fault.host);
    },
    heal: async (about) => {
      faults.heal(about);
      if (!metadata.listening) await listen(metadata, metadataPort);
    },
    release: async () => gate.release(),
    expireAccessTokens: () => {
      tokens.expire();
    },
    tokenOf: (uid) => signedToken(published, idTokenClaims(projectId, uid)),
    appCheckToken: () => signedToken(published, appCheckClaims(projectId)),
    stop: async () => {
      firestore.close();
      close(proxy);
      close(metadata);
      resetTunnels(() => true);
      await rm(folder, { recursive: true });
    },
  };
}

function newCertificate(): ReturnType<typeof generate> {
  return generate([{ name: 'commonName', value: 'Simulation of Google' }], {
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: HOSTS.map((value) => ({ type: 2, value })) },
    ],
  });
}

/** The replay key of a request. For a commit: how much it writes, but not when and in which transaction. */
function sameForAll(path: string, body: string): string {
  if (!/:commit(\?|$)/.test(path)) return body;
  const { writes = [] } = JSON.parse(body) as { writes?: readonly unknown[] };
  return String(writes.length);
}

function notFound(): Reply {
  return json(errorOf(404), 404);
}

async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, resolve);
  });
  return (server.address() as AddressInfo).port;
}

function close(server: ReturnType<typeof createServer>): void {
  server.close();
  server.closeAllConnections();
}

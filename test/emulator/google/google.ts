/**
 * A stand-in for all of Google that a deployed function asks: so that what is deployed runs here as it does there, over
 * REST and TLS, with real credentials and real verification of tokens, and without any emulator's variable. A process is
 * led to it by `environment` alone: Node's own support of a proxy, a certificate to trust, and the address of the
 * metadata server, which gives out access tokens on the platform, too.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { generate } from 'selfsigned';
import { idTokenClaims, signedToken, signingKey } from '../../support/idTokens.ts';
import { LOOPBACK } from '../ports.ts';
import { firestoreRest, type RestAnswer } from './firestoreRest.ts';

/** The hosts that a deployed function asks. */
const HOSTS = [
  'firestore.googleapis.com',
  'www.googleapis.com',
  'firebaseappcheck.googleapis.com',
  'identitytoolkit.googleapis.com',
] as const;

const KEYS = '/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com';
const ACCESS_TOKEN = 'access-token';

/** The stand-in. */
export interface Google {
  /** What a process must find in its environment to ask the stand-in. */
  readonly environment: Readonly<Record<string, string>>;
  /** How often each thing was asked for: `firestore.googleapis.com runQuery`. Hosts that are not Google's are refused. */
  readonly asked: ReadonlyMap<string, number>;
  /** An ID token of a user. */
  tokenOf(uid: string): string;
  stop(): Promise<void>;
}

/** What the stand-in is to stand for. */
export interface GoogleOptions {
  readonly projectId: string;
  /** `host:port` of the Firestore, which speaks gRPC. */
  readonly firestoreAddress: string;
  /** Whether answers are kept and given again, also to what would write: so that a benchmark measures no database. */
  readonly replays?: boolean;
}

/** Starts a stand-in for Google on free ports of this machine. */
export async function startGoogle({
  projectId,
  firestoreAddress,
  replays = false,
}: GoogleOptions): Promise<Google> {
  const key = signingKey(randomUUID());
  const firestore = firestoreRest(firestoreAddress);
  const asked = new Map<string, number>();
  const kept = new Map<string, Promise<RestAnswer | undefined>>();
  const count = (what: string) => asked.set(what, (asked.get(what) ?? 0) + 1);

  async function readFirestore(path: string, body: string): Promise<RestAnswer | undefined> {
    if (!replays) return firestore.answer(path, body);
    const name = `${path} ${sameForAll(path, body)}`;
    const answer = kept.get(name) ?? firestore.answer(path, body);
    kept.set(name, answer);
    return answer;
  }

  async function answerTo(host: string, request: IncomingMessage): Promise<RestAnswer | undefined> {
    const { pathname } = new URL(request.url ?? '/', 'https://google');
    count(`${host} ${pathname.replace(/^.*[/:]/, '')}`);
    const body = await text(request);
    switch (host) {
      case 'firestore.googleapis.com':
        if (request.headers.authorization !== `Bearer ${ACCESS_TOKEN}`) return json({}, 401);
        return readFirestore(decodeURIComponent(pathname), body);
      case 'www.googleapis.com':
        if (pathname !== KEYS) return undefined;
        return json({ [key.id]: key.publicKey.export({ type: 'spki', format: 'pem' }) });
      case 'firebaseappcheck.googleapis.com':
        return json({
          keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: key.id, alg: 'RS256' }],
        });
      case 'identitytoolkit.googleapis.com': {
        const { localId } = JSON.parse(body) as { localId?: readonly string[] };
        return json({ users: (localId ?? []).map((uid) => ({ localId: uid })) });
      }
      default:
        return undefined;
    }
  }

  const certificate = await generate([{ name: 'commonName', value: 'Stand-in for Google' }], {
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: HOSTS.map((value) => ({ type: 2, value })) },
    ],
  });
  const hosts = createTlsServer(
    { key: certificate.private, cert: certificate.cert },
    (request, response) => {
      void send(response, answerTo(request.headers.host ?? '', request));
    },
  );
  const hostsPort = await listen(hosts);

  const proxy = createServer((_request, response) => response.writeHead(502).end());
  proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
    const [host = ''] = (request.url ?? '').split(':');
    if (!HOSTS.some((known) => known === host)) {
      count(`${host} refused`);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    const through = connect(hostsPort, LOOPBACK, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.pipe(through).pipe(socket);
    });
    for (const [end, other] of [
      [socket, through],
      [through, socket],
    ] as const) {
      end.on('error', () => other.destroy());
    }
  });
  const proxyPort = await listen(proxy);

  const metadata = createServer((request, response) => {
    const path = request.url ?? '';
    count(`metadata ${path.replace(/\?.*$/, '').replace(/^.*\//, '')}`);
    response.setHeader('Metadata-Flavor', 'Google');
    const answer = path.includes('/token')
      ? json({ access_token: ACCESS_TOKEN, expires_in: 3600, token_type: 'Bearer' })
      : path.endsWith('/project-id')
        ? { status: 200, body: Buffer.from(projectId) }
        : undefined;
    void send(response, Promise.resolve(answer));
  });
  const metadataPort = await listen(metadata);

  const folder = await mkdtemp(join(tmpdir(), 'google-'));
  const certificateFile = join(folder, 'certificate.pem');
  await writeFile(certificateFile, certificate.cert);

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
    asked,
    tokenOf: (uid) => signedToken(key, idTokenClaims(projectId, uid)),
    stop: async () => {
      firestore.close();
      for (const server of [proxy, hosts, metadata]) {
        server.closeAllConnections();
        server.close();
      }
      await rm(folder, { recursive: true });
    },
  };
}

/** What is the same in all requests that are answered alike: of a commit how much it writes, not when and in which transaction. */
function sameForAll(path: string, body: string): string {
  if (!path.endsWith(':commit')) return body;
  const { writes = [] } = JSON.parse(body) as { writes?: readonly unknown[] };
  return String(writes.length);
}

function json(value: unknown, status = 200): RestAnswer {
  return { status, body: Buffer.from(JSON.stringify(value)) };
}

async function send(
  response: ServerResponse,
  answer: Promise<RestAnswer | undefined>,
): Promise<void> {
  const { status, body } =
    (await answer.catch((error: unknown) => json(String(error), 500))) ?? json({}, 404);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    'Cache-Control': 'public, max-age=3600',
  });
  response.end(body);
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  return (server.address() as AddressInfo).port;
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { METHODS, type CallContext } from './calls.ts';
import { Database } from './memoryDatabase.ts';
import { createUnsupportedGrpcServer } from './grpc.ts';
import { databasesPage, dataPage, Html } from './page.ts';
import { createIndexChecker } from './indexes.ts';
import { invalidArgumentError, ApiError, assertLocalHost, unimplementedError } from './refusal.ts';
import { Transactions } from './transactions.ts';
import { Usage } from './usage.ts';

/** An embedded Firestore in this process. */
export type EmbeddedFirestore = Awaited<ReturnType<typeof startEmbeddedFirestore>>;

/** The options of an embedded Firestore. */
export interface EmbeddedFirestoreOptions {
  /** 0 means any free one. */
  readonly port?: number;
  /**
   * Path of a firestore.indexes.json. Read at each new query, to warn of queries that production
   * would reject.
   */
  readonly indexesFile?: string;
  /** Gets a sentence if a client tries gRPC, and for each index that a query lacks. */
  readonly onWarning?: (notice: string) => void;
}

/** Only programs of this machine reach the server. */
const LOOPBACK = '127.0.0.1';

const JSON_HEADERS = { 'Content-Type': 'application/json; charset=UTF-8' };
/** The browser runs no script: a stored text could be one. */
const HTML_HEADERS = {
  'Content-Type': 'text/html; charset=UTF-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
};

/** Like Google's front end, so that clients do not find idle connections closed. */
const KEEP_ALIVE_MS = 240_000;

/** The start of an HTTP/2 connection, and so of gRPC (RFC 9113, section 3.4). HTTP/1.1 never starts with it. */
const HTTP2_PREFACE = 'PRI ';

const USAGE_PATH = /^\/usage\/([^/]+)$/;
const EXPLORER_PATH = /^\/(projects\/[^/]+\/databases\/[^/]+\/documents)(?:\/(.+))?$/s;
const RESOURCE_PATH =
  /^\/v1\/(projects\/[^/]+\/databases\/[^/]+\/documents)(?:\/(.*?))?(?::(\w+))?$/s;

/** `owner`, or a token that the Admin SDK has signed with its credentials. Users' tokens of the Auth emulator are unsigned. */
const ADMIN_AUTHORIZATION = /^Bearer (owner|[^.]+\.[^.]+\.[^.]+)$/;

/**
 * Starts an embedded Firestore: the REST API, in memory. It refuses what it does not know, shows what is stored (`GET /`),
 * and meters what each project uses (`GET /usage/PROJECT`). Every project and database exists, empty at first. Rejects if
 * the port is in use.
 */
export async function startEmbeddedFirestore({
  port = 0,
  indexesFile,
  onWarning = () => undefined,
}: EmbeddedFirestoreOptions = {}) {
  const checkIndexes =
    indexesFile === undefined ? () => undefined : createIndexChecker(indexesFile, onWarning);
  const targets = new Map<string, Omit<CallContext, 'path'>>();

  function targetAt(root: string): Omit<CallContext, 'path'> {
    const known = targets.get(root);
    if (known) return known;
    const database = new Database(root);
    const transactions = new Transactions(database);
    const usage = new Usage();
    const target = { database, transactions, usage, checkIndexes };
    targets.set(root, target);
    return target;
  }

  function route({ method, url = '/', headers }: IncomingMessage, body: string): unknown {
    assertLocalHost(headers.host);
    const { pathname, searchParams } = new URL(url, 'http://firestore');
    const resource = decodeURIComponent(pathname);
    const [, metered] = USAGE_PATH.exec(pathname) ?? [];
    if (metered !== undefined) {
      return targetAt(`projects/${metered}/databases/(default)/documents`).usage;
    }
    if (method === 'GET') {
      if (resource === '/') {
        return databasesPage([...targets.values()].map(({ database }) => database));
      }
      const [, shown, below = ''] = EXPLORER_PATH.exec(resource) ?? [];
      if (shown !== undefined) {
        return dataPage(targetAt(shown).database, below, searchParams.get('search') ?? '');
      }
    }
    const [, root, path = '', methodName = ''] = RESOURCE_PATH.exec(resource) ?? [];
    if (root === undefined) throw new ApiError('NOT_FOUND', 'Not Found');
    if (!ADMIN_AUTHORIZATION.test(headers.authorization ?? '')) {
      throw new ApiError('PERMISSION_DENIED', 'Send the header Authorization: Bearer owner.');
    }
    const target = { ...targetAt(root), path };
    const call = Object.hasOwn(METHODS, methodName) ? METHODS[methodName] : undefined;
    if (method !== 'POST' || !call)
      throw unimplementedError(methodName || `the method ${String(method)}`);
    const { calls } = target.usage;
    calls[methodName] = (calls[methodName] ?? 0) + 1;
    return call(target, JSON.parse(body));
  }

  const rest = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    handleRequest(request, response, route).catch(() => response.destroy());
  });
  const grpc = createUnsupportedGrpcServer(onWarning);
  const sockets = new Set<Socket>();
  const server = createTcpServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // A reset connection is not an error of the server.
    socket.on('error', () => socket.destroy());
    socket.once('readable', () => {
      const start = (socket.read() as Buffer | null) ?? Buffer.of();
      socket.unshift(start);
      const isHttp2 = start.toString('latin1', 0, HTTP2_PREFACE.length) === HTTP2_PREFACE;
      (isHttp2 ? grpc : rest).emit('connection', socket);
    });
  });
  server.listen(port, LOOPBACK);
  await once(server, 'listening');
  return {
    /** `host:port`, for `FIRESTORE_EMULATOR_HOST`. */
    address: `${LOOPBACK}:${(server.address() as AddressInfo).port}`,
    /** Ends all connections and frees the port. */
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Responds with the result of a request, or with an error in Google's format. */
async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  route: (request: IncomingMessage, body: string) => unknown,
): Promise<void> {
  let status = 200;
  let body: unknown;
  try {
    body = route(request, await text(request));
  } catch (error) {
    ({ status, body } = toApiError(error));
  }
  if (body instanceof Html) response.writeHead(status, HTML_HEADERS).end(body.text);
  else response.writeHead(status, JSON_HEADERS).end(`${JSON.stringify(body)}\n`);
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return error instanceof SyntaxError
    ? invalidArgumentError(String(error))
    : new ApiError('INTERNAL', String(error));
}

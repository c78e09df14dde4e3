import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { createUnsupportedGrpcServer } from './unsupportedGrpc.ts';
import { createIndexChecker, type CompositeIndex } from './indexChecker.ts';
import { Html } from '../explorer/html.ts';
import { ApiError, invalidArgumentError } from '../engine/apiError.ts';
import { Databases, route } from './routes.ts';
import { createCorsHeaders, findWebSdkCall, webSdkError } from './webSdk.ts';

/** An embedded Firestore in this process. */
export type EmbeddedFirestore = Awaited<ReturnType<typeof startEmbeddedFirestore>>;

/** The options of an embedded Firestore. */
interface EmbeddedFirestoreOptions {
  /** 0 means any free port. */
  readonly port?: number;
  /** Returns the composite indexes. Called for each new query, to warn of queries that production would reject. */
  readonly readIndexes?: () => readonly CompositeIndex[];
  /** Receives a sentence for each type of unsupported call, and for each missing index. */
  readonly onWarning?: (warning: string) => void;
}

/** The address that the server listens on: only programs of this machine reach it. */
const LOOPBACK = '127.0.0.1';

const JSON_HEADERS = { 'Content-Type': 'application/json; charset=UTF-8' };
/** Scripts are disabled, because a stored string could contain one. */
const HTML_HEADERS = {
  'Content-Type': 'text/html; charset=UTF-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
};

/** The time after which idle connections are closed, in ms: the same as at Google's front end. */
const KEEP_ALIVE_MS = 240_000;

/** The start of an HTTP/2 connection, and so of gRPC (RFC 9113, section 3.4). HTTP/1.1 never starts with it. */
const HTTP2_PREFACE = 'PRI ';

/**
 * Starts an embedded Firestore: the REST API, pages that show the stored documents (`GET /`), and the usage of each project
 * (`GET /usage/PROJECT`). It rejects unsupported requests. A project or database exists from its first call. The promise
 * rejects if the port is in use.
 */
export async function startEmbeddedFirestore({
  port = 0,
  readIndexes,
  onWarning = () => undefined,
}: EmbeddedFirestoreOptions = {}) {
  const checkIndexes =
    readIndexes === undefined ? () => undefined : createIndexChecker(readIndexes, onWarning);
  const databases = new Databases(checkIndexes);
  const warnings = new Set<string>();
  const warnOnce = (warning: string) => {
    if (!warnings.has(warning)) onWarning(warning);
    warnings.add(warning);
  };
  const rest = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    handleRequest(request, response, databases, warnOnce).catch(() => response.destroy());
  });
  const grpc = createUnsupportedGrpcServer(warnOnce);
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

/** Responds with the result of a request, or with an error in Google's format. Warns of unsupported requests. */
async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  databases: Databases,
  onWarning: (warning: string) => void,
): Promise<void> {
  const webSdkCall = findWebSdkCall(request);
  const corsHeaders = webSdkCall === undefined ? {} : createCorsHeaders(request);
  if (webSdkCall !== undefined && request.method === 'OPTIONS') {
    response.writeHead(204, corsHeaders).end();
    return;
  }
  let status = 200;
  let body: unknown;
  try {
    if (webSdkCall !== undefined) throw webSdkError(webSdkCall);
    body = await route(request, databases);
  } catch (error) {
    const apiError = toApiError(error);
    ({ status, body } = apiError);
    if (status === 501) onWarning(apiError.message);
  }
  if (body instanceof Html) response.writeHead(status, HTML_HEADERS).end(body.text);
  else {
    const headers = { ...JSON_HEADERS, ...corsHeaders };
    response.writeHead(status, headers).end(`${JSON.stringify(body)}\n`);
  }
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // Invalid JSON, or an invalid path.
  return error instanceof SyntaxError || error instanceof URIError
    ? invalidArgumentError(String(error))
    : new ApiError('INTERNAL', String(error));
}

import { once } from 'node:events';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { listen, LOOPBACK } from '../../dev/ports.ts';
import { loadFirestoreMessages } from '../../dev/google/firestoreMessages.ts';

const { decodeRequest, encodeResponse } = loadFirestoreMessages();

/** The numbers of gRPC's statuses. */
const STATUSES = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  DEADLINE_EXCEEDED: 4,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  INTERNAL: 13,
  UNAVAILABLE: 14,
} as const;

/** How a response ends: with a status, or because the connection is closed. */
export type Ending = keyof typeof STATUSES | 'CLOSED';

/** A response: its messages, as Firestore's REST API writes them, and how it ends (without it: `OK`). */
export interface GrpcResponse {
  readonly messages?: readonly object[];
  readonly ending?: Ending;
}

/** A call that the server has received. */
export interface GrpcCall {
  /** For example `RunQuery`. */
  readonly method: string;
  readonly request: object;
}

/** A Firestore over gRPC, without TLS, whose responses a test defines. */
export interface ScriptedGrpc {
  /** `host:port` */
  readonly address: string;
  readonly calls: readonly GrpcCall[];
  readonly stop: () => Promise<void>;
}

/** Starts a server that responds to each call as `respond` says: not at all, if it returns nothing. */
export async function startScriptedGrpc(
  respond: (call: GrpcCall) => GrpcResponse | undefined,
): Promise<ScriptedGrpc> {
  const calls: GrpcCall[] = [];
  const sockets = new Set<Socket>();

  async function serve(stream: ServerHttp2Stream, path: string): Promise<void> {
    const method = path.slice(path.lastIndexOf('/') + 1);
    const call = { method, request: decodeRequest(method, await buffer(stream)) };
    calls.push(call);
    const response = respond(call);
    if (response === undefined) return;
    const { messages = [], ending = 'OK' } = response;
    stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true });
    const body = Buffer.concat(messages.map((message) => encodeResponse(method, message)));
    if (ending === 'CLOSED') {
      stream.write(body, () => {
        for (const socket of sockets) socket.end();
      });
      return;
    }
    stream.on('wantTrailers', () => {
      stream.sendTrailers({ 'grpc-status': STATUSES[ending], 'grpc-message': 'scripted' });
    });
    stream.end(body);
  }

  const server = createServer();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)));
  });
  server.on('stream', (stream, headers) => {
    // A client that cancels its call.
    stream.on('error', () => undefined);
    serve(stream, headers[':path'] ?? '').catch(() => {
      stream.destroy();
    });
  });
  return {
    address: `${LOOPBACK}:${await listen(server)}`,
    calls,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

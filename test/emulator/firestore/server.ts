import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { controlDefinition, controlService } from './control.ts';
import { Databases } from './database.ts';
import { grpcService } from './grpc.ts';
import { grpcDefinition } from './protocol.ts';
import { restServer } from './rest.ts';
import { firestoreCalls } from './service.ts';
import type { TransactionTimes } from './transactions.ts';

/** An embedded Firestore in this process, for gRPC and REST clients. */
export interface EmbeddedFirestore {
  /** `host:port`, for `FIRESTORE_EMULATOR_HOST`. */
  readonly address: string;
  /** Waits briefly for calls in progress, ends all others and listeners, and frees the port. */
  stop(): Promise<void>;
}

/** The address to listen on; port 0 means any free port. */
export interface EmbeddedFirestoreOptions {
  readonly host?: string;
  readonly port?: number;
  readonly times?: Partial<TransactionTimes>;
}

/** As in Firestore, a transaction ends after 60 s without a call. */
const DEFAULT_TIMES: TransactionTimes = { idleMs: 60_000, lockWaitMs: 10_000 };

/** How long calls in progress may take when the server stops. */
const GRACE_MS = 200;

/** The service's own limit: a commit of 10 MiB plus overhead. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/**
 * The connection preface of HTTP/2, which gRPC uses (RFC 9113, section 3.4); an HTTP/1.1 request never starts with it.
 */
const HTTP2_PREFACE = 'PRI';

/**
 * Starts an embedded Firestore: gRPC and REST (google.firestore.v1) on one port, in front of an in-memory engine. Every
 * project and database exists, empty at first. Rejects if the port is in use.
 */
export async function startEmbeddedFirestore({
  host = '127.0.0.1',
  port = 0,
  times = {},
}: EmbeddedFirestoreOptions = {}): Promise<EmbeddedFirestore> {
  const databases = new Databases({ ...DEFAULT_TIMES, ...times });
  const calls = firestoreCalls(databases);
  const definition = grpcDefinition();
  const grpc = new Server({
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': -1,
  });
  grpc.addService(definition, grpcService(calls, databases, definition));
  grpc.addService(controlDefinition, controlService(databases));
  const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure());
  const rest = restServer(calls);

  const sockets = new Set<Socket>();
  const idle = new Set<Socket>();
  rest.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket);
    response.once('close', () => {
      if (server.listening) idle.add(socket);
      else socket.destroy();
    });
  });
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      idle.delete(socket);
    });
    // A reset connection is not an error of the server.
    socket.on('error', () => socket.destroy());
    socket.once('readable', () => {
      const start = socket.read() as Buffer | null;
      if (start === null) return;
      socket.unshift(start);
      if (start.toString('latin1', 0, 3) === HTTP2_PREFACE) {
        injector.injectConnection(socket);
      } else {
        idle.add(socket);
        rest.emit('connection', socket);
      }
    });
  });
  await listen(server, host, port);
  return {
    address: `${host}:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      const { promise: closed, resolve: close } = Promise.withResolvers<unknown>();
      const { promise: ended, resolve: end } = Promise.withResolvers<unknown>();
      server.close(close);
      for (const socket of idle) socket.destroy();
      grpc.tryShutdown(end);
      await Promise.race([
        Promise.all([ended, closed]),
        delay(GRACE_MS, undefined, { ref: false }),
      ]);
      grpc.forceShutdown();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function listen(server: NetServer, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, resolve);
  });
}

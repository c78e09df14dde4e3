import { Server, ServerCredentials, type ServiceDefinition } from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { controlDefinition, controlService } from './control.ts';
import { Databases } from './database.ts';
import { firestoreService } from './service.ts';
import type { TransactionTimes } from './transactions.ts';

/** A Firestore in this process that every Admin SDK can reach. */
export interface EmbeddedFirestore {
  /** `host:port`: what `FIRESTORE_EMULATOR_HOST` is to be. */
  readonly address: string;
  /** Lets calls end that are about to, ends all others, listeners too, and frees the port. */
  stop(): Promise<void>;
}

/** Where an embedded Firestore listens; port 0 takes a free one. */
export interface EmbeddedFirestoreOptions {
  readonly host?: string;
  readonly port?: number;
  readonly times?: Partial<TransactionTimes>;
}

/** Firestore's own: a transaction ends after 60 s without a call. */
const DEFAULT_TIMES: TransactionTimes = { idleMs: 60_000, lockWaitMs: 10_000 };

/** How long calls that are under way may take when the server is stopped. */
const GRACE_MS = 200;

/** As large as the service takes: a commit of 10 MiB, and what surrounds it. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/**
 * Starts an embedded Firestore: the protocol of the service (google.firestore.v1) in front of an engine in memory. Any
 * project and database that a call names is there, empty at first. Rejects where the port is taken.
 */
export async function startEmbeddedFirestore({
  host = '127.0.0.1',
  port = 0,
  times = {},
}: EmbeddedFirestoreOptions = {}): Promise<EmbeddedFirestore> {
  const databases = new Databases({ ...DEFAULT_TIMES, ...times });
  const server = new Server({
    // Without this a second server would share the port in silence.
    'grpc.so_reuseport': 0,
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': -1,
  });
  server.addService(firestoreDefinition(), firestoreService(databases));
  server.addService(controlDefinition, controlService(databases));
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${host}:${port}`, ServerCredentials.createInsecure(), (error, taken) => {
      if (error) reject(error);
      else resolve(taken);
    });
  });
  return {
    address: `${host}:${bound}`,
    stop: async () => {
      const { promise: ended, resolve } = Promise.withResolvers<unknown>();
      server.tryShutdown(resolve);
      await Promise.race([ended, delay(GRACE_MS, undefined, { ref: false })]);
      server.forceShutdown();
    },
  };
}

/** The service's definition, as the Admin SDK ships it. */
function firestoreDefinition(): ServiceDefinition {
  const { resolve } = createRequire(join(process.cwd(), 'package.json'));
  const file = resolve('@google-cloud/firestore/build/protos/v1.json');
  const definitions = fromJSON(JSON.parse(readFileSync(file, 'utf8')) as object, {
    longs: String,
    enums: String,
    oneofs: true,
    defaults: false,
  });
  return definitions['google.firestore.v1.Firestore'] as ServiceDefinition;
}

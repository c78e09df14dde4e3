import { FirestoreMock } from '@firebase-bridge/firestore-admin';
import { Timestamp } from 'firebase-admin/firestore';
import type { Duplex, Readable } from 'node:stream';
import { risingTime, type WholeTime } from './clock.ts';
import type {
  BatchGetRequest,
  BeginTransactionRequest,
  CommitRequest,
  Document,
  ListCollectionIdsRequest,
  ListDocumentsRequest,
  RollbackRequest,
  RunAggregationRequest,
  RunQueryRequest,
  TransactionId,
  Write,
} from './messages.ts';

type Unary<Response> = Promise<[Response, unknown, unknown]>;

/** The engine as the Admin SDK's own transport sees it: the same calls, in process. */
interface Transport {
  beginTransaction(request: BeginTransactionRequest): Unary<{ transaction: TransactionId }>;
  commit(request: CommitRequest): Unary<object>;
  rollback(request: RollbackRequest): Unary<object>;
  batchGetDocuments(request: BatchGetRequest): Readable;
  runQuery(request: RunQueryRequest): Readable;
  runAggregationQuery(request: RunAggregationRequest): Readable;
  listDocuments(request: ListDocumentsRequest): Unary<readonly Document[]>;
  listCollectionIds(request: ListCollectionIdsRequest): Unary<readonly string[]>;
  listen(): Duplex;
}

/** The transport, and what the gateway needs besides: all done when it returns. */
export interface Engine extends Transport {
  /** Throws where the resource name is that of no document. */
  requireDocument(name: string): void;
  /** Applies writes at a time, all or, where it throws, none. */
  store(writes: readonly Write[], time: WholeTime): void;
}

/** A database of the engine. */
export interface EngineDatabase {
  readonly engine: Engine;
  /** Removes every document; listeners are told. */
  reset(): void;
}

/** What lies below the transport: private, and looked into as its public face is asynchronous and has no clock of ours. */
interface Internals {
  readonly context: {
    toInternalPath(name: string, kind: 'document'): string;
    getAccessor(): { serverTime: () => Timestamp };
  };
  readonly _transactionManager: {
    commit(mode: typeof ATOMIC, request: { readonly writes: readonly Write[] }): unknown;
  };
}

const ATOMIC = 0;

/** The SDK's pool of transports, which the engine has replaced by its own. */
interface ClientPool {
  run<Result>(
    tag: string,
    requiresGrpc: boolean,
    use: (client: Transport & Internals) => Promise<Result>,
  ): Promise<Result>;
}

const mock = new FirestoreMock();

/** Makes an empty database in memory. */
export async function createDatabase(
  projectId: string,
  databaseId: string,
): Promise<EngineDatabase> {
  if (mock.databaseExists(projectId, databaseId)) mock.getDatabase(projectId, databaseId).delete();
  const database = mock.createDatabase(projectId, databaseId);
  // The engine offers its transport to the SDK only, through this private field.
  const { _clientPool: pool } = database.firestore() as unknown as { _clientPool: ClientPool };
  const transport = await pool.run('gateway', true, (client) => Promise.resolve(client));
  const { context, _transactionManager: writer } = transport;
  let writeTime: WholeTime | undefined;
  context.getAccessor().serverTime = () => {
    const { seconds, nanos } = writeTime ?? risingTime();
    return new Timestamp(Number(seconds), nanos);
  };
  const engine = Object.assign(transport, {
    requireDocument: (name: string) => {
      context.toInternalPath(name, 'document');
    },
    store: (writes: readonly Write[], time: WholeTime) => {
      if (writes.length === 0) return;
      writeTime = time;
      try {
        writer.commit(ATOMIC, { writes });
      } finally {
        writeTime = undefined;
      }
    },
  });
  return {
    engine,
    reset: () => {
      database.reset();
    },
  };
}

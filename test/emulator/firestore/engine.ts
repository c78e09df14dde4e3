import { FirestoreMock } from '@firebase-bridge/firestore-admin';
import type { Duplex, Readable } from 'node:stream';
import type {
  BatchGetRequest,
  BatchWriteRequest,
  BatchWriteResponse,
  BeginTransactionRequest,
  CommitRequest,
  Document,
  ListCollectionIdsRequest,
  ListDocumentsRequest,
  RollbackRequest,
  RunAggregationRequest,
  RunQueryRequest,
  TransactionId,
} from './messages.ts';

type Unary<Response> = Promise<[Response, unknown, unknown]>;

/**
 * The engine as the Admin SDK's own transport sees it: the same calls, in process. Writes and unary reads are done
 * before the call returns, so nothing can come between a check and the write that follows it.
 */
export interface Engine {
  beginTransaction(request: BeginTransactionRequest): Unary<{ transaction: TransactionId }>;
  commit(request: CommitRequest): Unary<object>;
  batchWrite(request: BatchWriteRequest): Unary<BatchWriteResponse>;
  rollback(request: RollbackRequest): Unary<object>;
  batchGetDocuments(request: BatchGetRequest): Readable;
  runQuery(request: RunQueryRequest): Readable;
  runAggregationQuery(request: RunAggregationRequest): Readable;
  listDocuments(request: ListDocumentsRequest): Unary<readonly Document[]>;
  listCollectionIds(request: ListCollectionIdsRequest): Unary<readonly string[]>;
  listen(): Duplex;
}

/** A database of the engine. */
export interface EngineDatabase {
  readonly engine: Engine;
  /** Removes every document; listeners are told. */
  reset(): void;
}

/** The SDK's pool of transports, which the engine has replaced by its own. */
interface ClientPool {
  run<Result>(
    tag: string,
    requiresGrpc: boolean,
    use: (client: Engine) => Promise<Result>,
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
  const engine = await pool.run('gateway', true, (client) => Promise.resolve(client));
  return {
    engine,
    reset: () => {
      database.reset();
    },
  };
}

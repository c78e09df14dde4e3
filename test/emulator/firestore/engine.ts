import { FirestoreMock } from '@firebase-bridge/firestore-admin';
import { Timestamp } from 'firebase-admin/firestore';
import type { Duplex, Readable } from 'node:stream';
import { risingTime, type WholeTime } from './clock.ts';
import { masked } from './fieldMask.ts';
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
import { Status, StatusError } from './status.ts';
import type { StoredDocument } from './writes.ts';

type Unary<Response> = Promise<[Response, unknown, unknown]>;

/** The engine as a transport of the Admin SDK: the same calls, in process. */
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

/**
 * The transport, and functions for the gateway, whose documents are exact. The engine itself stores every number as a
 * double: 64-bit integers lose digits, and the double 1 becomes an integer. With bytes, it also cannot detect a write
 * that changes nothing. Its filters and orders still compare numbers as doubles.
 */
export interface Engine extends Transport {
  /** The current document with that name; throws if the name is invalid. */
  current(name: string): StoredDocument | undefined;
  /**
   * Stores documents, or deletes those without one, in one step and synchronously: all of them, or none if it throws.
   */
  store(
    changes: readonly (readonly [name: string, document: StoredDocument | undefined])[],
    time: WholeTime,
  ): void;
}

/** A database of the engine. */
export interface EngineDatabase {
  readonly engine: Engine;
  /** Removes all documents and notifies listeners. */
  reset(): void;
}

/** A version of a document in the engine. All reads of a version return the same data object. */
interface Version {
  readonly data?: object | undefined;
}

/** Internals of the engine, used because its public API is asynchronous and has no microseconds. */
interface Internals {
  readonly context: {
    toInternalPath(name: string, kind: 'document'): string;
    getAccessor(): {
      serverTime: () => Timestamp;
      getDoc(path: string): Version;
    };
    serializeDoc(version: Version, fieldPaths?: readonly string[]): Document;
  };
  readonly _transactionManager: {
    commit(mode: typeof ATOMIC, request: { readonly writes: readonly Write[] }): unknown;
  };
}

const ATOMIC = 0;

/** The SDK's pool of transports, which the engine has replaced. */
interface ClientPool {
  run<Result>(
    tag: string,
    requiresGrpc: boolean,
    use: (client: Transport & Internals) => Promise<Result>,
  ): Promise<Result>;
}

const mock = new FirestoreMock();

/** Creates an empty database in memory. */
export async function createDatabase(
  projectId: string,
  databaseId: string,
): Promise<EngineDatabase> {
  if (mock.databaseExists(projectId, databaseId)) mock.getDatabase(projectId, databaseId).delete();
  const database = mock.createDatabase(projectId, databaseId);
  // The engine offers its transport only to the SDK, through this private field.
  const { _clientPool: pool } = database.firestore() as unknown as { _clientPool: ClientPool };
  const transport = await pool.run('gateway', true, (client) => Promise.resolve(client));
  return {
    engine: Object.assign(transport, exactly(transport)),
    reset: () => {
      database.reset();
    },
  };
}

function exactly({
  context,
  _transactionManager: writer,
}: Internals): Pick<Engine, 'current' | 'store'> {
  const exact = new WeakMap<object, StoredDocument>();
  const accessor = context.getAccessor();
  let writeTime: WholeTime | undefined;

  accessor.serverTime = () => {
    const { seconds, nanos } = writeTime ?? risingTime();
    return new Timestamp(Number(seconds), nanos);
  };

  const serialize = context.serializeDoc.bind(context);
  context.serializeDoc = (version, fieldPaths) => {
    const document = version.data && exact.get(version.data);
    if (!document) return serialize(version, fieldPaths);
    return masked(document, fieldPaths && { fieldPaths });
  };

  const versionOf = (name: string) => {
    const path = context.toInternalPath(name, 'document');
    if (path !== '') return accessor.getDoc(path);
    throw new StatusError(Status.INVALID_ARGUMENT, `${name} is not a document name.`);
  };
  return {
    current: (name) => {
      const { data } = versionOf(name);
      return data && exact.get(data);
    },
    store: (changes, time) => {
      writeTime = time;
      try {
        const writes = changes.map(([name, update]) => (update ? { update } : { delete: name }));
        writer.commit(ATOMIC, { writes });
      } finally {
        writeTime = undefined;
      }
      for (const [name, document] of changes) {
        const { data } = versionOf(name);
        if (data && document) exact.set(data, document);
      }
    },
  };
}

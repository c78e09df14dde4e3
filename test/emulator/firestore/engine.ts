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

/**
 * The transport, and what the gateway needs besides. Its documents are exact, which the engine's own are not: every
 * number is a double to it, so that a 64-bit integer loses digits and the double 1 comes back as an integer, and it
 * cannot tell a write that changes nothing where there are bytes. In filters and orders it still compares numbers as
 * doubles.
 */
export interface Engine extends Transport {
  /** The document with that name as it is now; throws where no document can be called so. */
  current(name: string): StoredDocument | undefined;
  /** Stores documents, or deletes those without one, at a time: all or, where it throws, none. Done when it returns. */
  store(
    changes: readonly (readonly [name: string, document: StoredDocument | undefined])[],
    time: WholeTime,
  ): void;
}

/** A database of the engine. */
export interface EngineDatabase {
  readonly engine: Engine;
  /** Removes every document; listeners are told. */
  reset(): void;
}

/** A version of a document in the engine. Its data is one and the same object wherever the version is read. */
interface Version {
  readonly data?: object | undefined;
}

/** What lies below the transport: private, as the engine's public face is asynchronous and knows no microseconds. */
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
    throw new StatusError(Status.INVALID_ARGUMENT, `${name} names no document.`);
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

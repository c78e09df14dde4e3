import type {
  handleBidiStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  ServerDuplexStream,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { Readable } from 'node:stream';
import type { Database, Databases } from './database.ts';
import { masked } from './fieldMask.ts';
import type {
  BatchGetRequest,
  BatchGetResponse,
  BatchWriteRequest,
  BeginTransactionRequest,
  CommitRequest,
  Document,
  GetDocumentRequest,
  ListCollectionIdsRequest,
  ListDocumentsRequest,
  ListenRequest,
  ListenResponse,
  RollbackRequest,
  RunAggregationRequest,
  RunAggregationResponse,
  RunQueryRequest,
  RunQueryResponse,
  StructuredQuery,
  TransactionId,
  TransactionSelector,
  Write,
} from './messages.ts';
import { asTheServiceReads } from './presence.ts';
import { Status, StatusError } from './status.ts';

/** Counts what an aggregation matched; taken out of the answer again. */
const MATCHED = 'gateway_matched';

/** The Firestore service in front of the engine: every call that the Admin SDK makes. */
export function firestoreService(databases: Databases): UntypedServiceImplementation {
  return {
    getDocument: unary(databases, 'GetDocument', resourceOfName, getDocument),
    batchGetDocuments: stream(databases, 'BatchGetDocuments', resourceOfDatabase, batchGet),
    beginTransaction: unary(databases, 'BeginTransaction', resourceOfDatabase, beginTransaction),
    commit: unary(databases, 'Commit', resourceOfDatabase, commit),
    batchWrite: unary(databases, 'BatchWrite', resourceOfDatabase, batchWrite),
    rollback: unary(databases, 'Rollback', resourceOfDatabase, rollback),
    runQuery: stream(databases, 'RunQuery', resourceOfParent, runQuery),
    runAggregationQuery: stream(databases, 'RunAggregationQuery', resourceOfParent, aggregate),
    listDocuments: unary(databases, 'ListDocuments', resourceOfParent, listDocuments),
    listCollectionIds: unary(databases, 'ListCollectionIds', resourceOfParent, listCollectionIds),
    listen: listen(databases),
  };
}

async function getDocument({ engine, meter }: Database, { name, mask }: GetDocumentRequest) {
  meter.documentsRead(1);
  const request = { database: databaseOf(name), documents: [name] };
  const [response] = await allOf<BatchGetResponse>(engine.batchGetDocuments(request));
  if (!response?.found) throw new StatusError(Status.NOT_FOUND, 'Document not found.');
  return masked(response.found, mask);
}

async function* batchGet(
  { engine, transactions, meter }: Database,
  request: BatchGetRequest,
): AsyncGenerator<object> {
  const { documents = [], mask } = request;
  const { selector, started } = transactionOf(transactions, request, new Set(documents));
  if (started !== undefined) yield { transaction: started };
  meter.documentsRead(documents.length);
  const odd = documents.filter(isRefusedByEngine);
  const others = documents.filter((name) => !isRefusedByEngine(name));
  const readTime = { seconds: Math.floor(Date.now() / 1000), nanos: 0 };
  for (const missing of odd) yield { missing, readTime };
  if (others.length === 0) return;
  const read = engine.batchGetDocuments({
    database: request.database,
    documents: others,
    ...selector,
  });
  for (const response of await allOf<BatchGetResponse>(read)) {
    yield response.found ? { ...response, found: masked(response.found, mask) } : response;
  }
}

/**
 * Names that the engine does not take, and the service does: with control characters, leading dots, or a start that looks
 * like a reserved id. As nothing can be stored there, it is missing.
 */
function isRefusedByEngine(name: string): boolean {
  return /\p{Cc}|\/\.(?!\.?(\/|$))|\/(?!__[^/]*__(\/|$))__[^/]*__/u.test(name);
}

async function beginTransaction(
  { engine, transactions }: Database,
  request: BeginTransactionRequest,
) {
  if (!request.options?.readOnly) return { transaction: transactions.begin() };
  const [response] = await engine.beginTransaction(request);
  return response;
}

async function commit({ engine, transactions, meter }: Database, request: CommitRequest) {
  const { transaction, writes = [], ...rest } = request;
  const keys = keysWritten(writes);
  const apply = () => engine.commit({ ...rest, writes });
  const [response] = !transaction?.length
    ? await transactions.write(keys, apply)
    : transactions.has(transaction) || writes.length > 0
      ? await transactions.commit(transaction, keys, apply)
      : await engine.commit(request);
  const deletes = writes.filter((write) => write.delete).length;
  meter.written({ writes: writes.length - deletes, deletes });
  return response;
}

async function batchWrite({ engine, transactions, meter }: Database, request: BatchWriteRequest) {
  const { writes = [] } = request;
  const [response] = await transactions.write(keysWritten(writes), () =>
    engine.batchWrite(request),
  );
  const done = writes.filter((_write, index) => !response.status?.[index]?.code);
  const deletes = done.filter((write) => write.delete).length;
  meter.written({ writes: done.length - deletes, deletes });
  return response;
}

async function rollback({ engine, transactions }: Database, request: RollbackRequest) {
  if (transactions.has(request.transaction)) {
    transactions.rollback(request.transaction);
  } else {
    // A read-only one of the engine, or one that has ended: the official emulator minds neither.
    await engine.rollback(request).catch(() => undefined);
  }
  return {};
}

async function* runQuery(
  { engine, transactions, meter }: Database,
  request: RunQueryRequest,
): AsyncGenerator<object> {
  const query = request.structuredQuery;
  const keys = keysQueried(request.parent, query);
  const { selector, started } = transactionOf(transactions, request, keys);
  if (started !== undefined) yield { transaction: started };
  const responses = await allOf<RunQueryResponse>(
    engine.runQuery({
      parent: request.parent,
      structuredQuery: asTheServiceReads(query),
      ...selector,
    }),
  );
  meter.queried(query, responses.filter(({ document }) => document).length);
  yield* responses;
}

async function* aggregate(
  { engine, transactions, meter }: Database,
  request: RunAggregationRequest,
): AsyncGenerator<object> {
  const { structuredQuery: query, aggregations } = request.structuredAggregationQuery;
  const keys = keysQueried(request.parent, query);
  const { selector, started } = transactionOf(transactions, request, keys);
  if (started !== undefined) yield { transaction: started };
  const responses = await allOf<RunAggregationResponse>(
    engine.runAggregationQuery({
      parent: request.parent,
      structuredAggregationQuery: {
        structuredQuery: asTheServiceReads(query),
        aggregations: [...aggregations, { alias: MATCHED, count: {} } as { alias: string }],
      },
      ...selector,
    }),
  );
  for (const response of responses) {
    const { [MATCHED]: matched, ...aggregateFields } = response.result?.aggregateFields ?? {};
    meter.aggregated(query, Number(matched?.integerValue ?? 0));
    yield { ...response, result: { aggregateFields } };
  }
}

async function listDocuments({ engine, meter }: Database, request: ListDocumentsRequest) {
  const { parent, collectionId, mask, showMissing = false } = request;
  const [documents] = await engine.listDocuments({ parent, collectionId, showMissing });
  meter.documentsRead(Math.max(1, documents.length));
  return { documents: documents.map((document) => masked(document, mask)) };
}

async function listCollectionIds({ engine, meter }: Database, request: ListCollectionIdsRequest) {
  const [collectionIds] = await engine.listCollectionIds(request);
  meter.documentsRead(1);
  return { collectionIds };
}

function listen(databases: Databases): handleBidiStreamingCall<ListenRequest, ListenResponse> {
  return (call) => {
    call.once('data', (first: ListenRequest) => {
      call.pause();
      databases.of(first.database).then(
        (database) => {
          database.meter.called('Listen');
          connectListener(call, database, first);
        },
        (error: unknown) => call.emit('error', asStatus(error)),
      );
    });
  };
}

function connectListener(
  call: ServerDuplexStream<ListenRequest, ListenResponse>,
  { engine, meter }: Database,
  first: ListenRequest,
): void {
  const listener = engine.listen();
  listener.on('data', (response: ListenResponse) => {
    if (response.documentChange?.targetIds?.length) meter.documentsRead(1);
    call.write(response);
  });
  listener.on('error', (error) => call.emit('error', asStatus(error)));
  listener.on('end', () => {
    call.end();
  });
  call.on('cancelled', () => listener.destroy());
  call.on('end', () => listener.end());
  call.on('data', (request: ListenRequest) => listener.write(request));
  listener.write(first);
  call.resume();
}

/**
 * How a read belongs to a transaction: what the engine is told, and the id of a transaction that it has started. The
 * engine knows read-only transactions alone; of the others it sees plain reads, the gateway holding the keys.
 */
function transactionOf(
  transactions: Database['transactions'],
  { transaction, newTransaction }: TransactionSelector,
  keys: ReadonlySet<string>,
): { selector: TransactionSelector; started?: TransactionId } {
  if (newTransaction && !newTransaction.readOnly) {
    const started = transactions.begin();
    transactions.read(started, keys);
    return { selector: {}, started };
  }
  if (transaction?.length && transactions.has(transaction)) {
    transactions.read(transaction, keys);
    return { selector: {} };
  }
  return {
    selector: {
      ...(transaction?.length && { transaction }),
      ...(newTransaction && { newTransaction }),
    },
  };
}

/** What a write changes: the document, its collection, and all collections of that name. */
function keysWritten(writes: readonly Write[]): Set<string> {
  return new Set(
    writes.flatMap((write) => {
      const name = write.update?.name ?? write.delete ?? '';
      const collection = name.slice(0, name.lastIndexOf('/'));
      return [name, collection, groupKey(collection.slice(collection.lastIndexOf('/') + 1))];
    }),
  );
}

/** What a query may return, held whole: coarser than the service, which holds ranges of its indexes. */
function keysQueried(parent: string, { from = [] }: StructuredQuery): Set<string> {
  return new Set(
    from.map(({ collectionId = '', allDescendants }) =>
      allDescendants ? groupKey(collectionId) : `${parent}/${collectionId}`,
    ),
  );
}

function groupKey(collectionId: string): string {
  return `**/${collectionId}`;
}

function resourceOfDatabase({ database }: { readonly database: string }): string {
  return database;
}

function resourceOfParent({ parent }: { readonly parent: string }): string {
  return parent;
}

function resourceOfName({ name }: Pick<Document, 'name'>): string {
  return name;
}

function databaseOf(name: string): string {
  return name.slice(0, name.indexOf('/documents'));
}

function unary<Request>(
  databases: Databases,
  name: string,
  resourceOf: (request: Request) => string,
  answer: (database: Database, request: Request) => Promise<object>,
): handleUnaryCall<Request, object> {
  return ({ request }, callback) => {
    databases
      .of(resourceOf(request))
      .then(async (database) => {
        database.meter.called(name);
        await database.faults.strike(name, 'before');
        const response = await answer(database, request);
        await database.faults.strike(name, 'after');
        return response;
      })
      .then(
        (response) => {
          callback(null, response);
        },
        (error: unknown) => {
          callback(asStatus(error));
        },
      );
  };
}

function stream<Request>(
  databases: Databases,
  name: string,
  resourceOf: (request: Request) => string,
  answer: (database: Database, request: Request) => AsyncGenerator<object>,
): handleServerStreamingCall<Request, object> {
  return (call) => {
    const send = async () => {
      const database = await databases.of(resourceOf(call.request));
      database.meter.called(name);
      await database.faults.strike(name, 'before');
      for await (const response of answer(database, call.request)) call.write(response);
      await database.faults.strike(name, 'after');
      call.end();
    };
    send().catch((error: unknown) => call.emit('error', asStatus(error)));
  };
}

async function allOf<Response>(read: Readable): Promise<Response[]> {
  const responses: Response[] = [];
  for await (const response of read) responses.push(response as Response);
  return responses;
}

/** An error as gRPC sends it: the engine's and the gateway's own have a code; any other is a fault of theirs. */
function asStatus(error: unknown): {
  code: number;
  details: string;
  name: string;
  message: string;
} {
  const { message, code } = error as { message?: string; code?: unknown };
  const details = message ?? String(error);
  return {
    code: typeof code === 'number' ? code : Status.INTERNAL,
    details,
    name: 'Error',
    message: details,
  };
}

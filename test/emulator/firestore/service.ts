import type { Readable } from 'node:stream';
import { risingTime } from './clock.ts';
import { commit } from './commit.ts';
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
  RollbackRequest,
  RunAggregationRequest,
  RunAggregationResponse,
  RunQueryRequest,
  RunQueryResponse,
  StructuredQuery,
  TransactionId,
  TransactionSelector,
  Write,
  WriteResult,
} from './messages.ts';
import { asTheServiceReads } from './presence.ts';
import { Status, statusOf, StatusError } from './status.ts';

/** An added aggregation that counts the matches for the meter; it is removed from the response. */
const MATCHED = 'gateway_matched';

/** A call of the service: returns its response messages, one, or any number if it streams. */
export type Call = (request: unknown) => AsyncGenerator<object>;

/**
 * The Firestore service in front of the engine, for both protocols: all calls that the Admin SDK makes, by name, except
 * listening. Calls are metered, and fail where a fault is injected.
 */
export function firestoreCalls(databases: Databases): Readonly<Record<string, Call>> {
  function call<Request>(
    name: string,
    resourceOf: (request: Request) => string,
    response: (database: Database, request: Request) => AsyncGenerator<object>,
  ): Record<string, Call> {
    return {
      [name]: async function* (message: unknown) {
        const request = message as Request;
        const database = await databases.of(resourceOf(request));
        database.meter.called(name);
        await database.faults.strike(name, 'before');
        yield* response(database, request);
        await database.faults.strike(name, 'after');
      },
    };
  }

  return {
    ...call('GetDocument', resourceOfName, getDocument),
    ...call('BatchGetDocuments', resourceOfDatabase, batchGet),
    ...call('BeginTransaction', resourceOfDatabase, beginTransaction),
    ...call('Commit', resourceOfDatabase, commitCall),
    ...call('BatchWrite', resourceOfDatabase, batchWrite),
    ...call('Rollback', resourceOfDatabase, rollback),
    ...call('RunQuery', resourceOfParent, runQuery),
    ...call('RunAggregationQuery', resourceOfParent, aggregate),
    ...call('ListDocuments', resourceOfParent, listDocuments),
    ...call('ListCollectionIds', resourceOfParent, listCollectionIds),
  };
}

async function* getDocument(
  { engine, meter }: Database,
  { name, mask }: GetDocumentRequest,
): AsyncGenerator<object> {
  meter.documentsRead(1);
  const request = { database: databaseOf(name), documents: [name] };
  const [response] = await allOf<BatchGetResponse>(engine.batchGetDocuments(request));
  if (!response?.found) throw new StatusError(Status.NOT_FOUND, `Document (${name}) not found.`);
  yield masked(response.found, mask);
}

async function* batchGet(
  { engine, transactions, meter }: Database,
  request: BatchGetRequest,
): AsyncGenerator<object> {
  const { mask } = request;
  const names = new Set(request.documents);
  const { selector, started } = transactionOf(transactions, request, names);
  if (started !== undefined) yield { transaction: started };
  meter.documentsRead(names.size);
  const odd = [...names].filter(isRefusedByEngine);
  const others = [...names].filter((name) => !isRefusedByEngine(name));
  const readTime = risingTime();
  for (const missing of odd) yield { missing, readTime };
  if (others.length === 0) return;
  const read = engine.batchGetDocuments({
    database: request.database,
    documents: others,
    ...selector,
  });
  for (const response of await allOf<BatchGetResponse>(read)) {
    const { found } = response;
    yield found ? { ...response, found: masked(found, mask) } : response;
  }
}

/**
 * Names that the service accepts but the engine does not: with control characters, leading dots, or a start that looks
 * like a reserved id. Nothing can be stored there, so the document is missing.
 */
function isRefusedByEngine(name: string): boolean {
  return /\p{Cc}|\/\.(?!\.?(\/|$))|\/(?!__[^/]*__(\/|$))__[^/]*__/u.test(name);
}

async function* beginTransaction(
  { engine, transactions }: Database,
  request: BeginTransactionRequest,
): AsyncGenerator<object> {
  if (!request.options?.readOnly) {
    yield { transaction: transactions.begin() };
  } else {
    const [response] = await engine.beginTransaction(request);
    yield response;
  }
}

async function* commitCall(
  { engine, transactions, meter }: Database,
  request: CommitRequest,
): AsyncGenerator<object> {
  const { transaction, writes = [] } = request;
  const keys = keysWritten(writes);
  const apply = () => commit(engine, writes);
  let response: object;
  if (!transaction?.length) {
    response = await transactions.write(keys, apply);
  } else if (transactions.has(transaction) || writes.length > 0) {
    response = transactions.commit(transaction, keys, apply);
  } else {
    [response] = await engine.commit(request);
  }
  const deletes = writes.filter((write) => write.delete).length;
  meter.written({ writes: writes.length - deletes, deletes });
  yield response;
}

/** Applies each write separately: some may fail. */
async function* batchWrite(
  { engine, transactions, meter }: Database,
  { writes = [] }: BatchWriteRequest,
): AsyncGenerator<object> {
  const writeResults: WriteResult[] = [];
  const status: object[] = [];
  await transactions.write(keysWritten(writes), () => {
    for (const write of writes) {
      try {
        writeResults.push(...commit(engine, [write]).writeResults);
        status.push({});
        meter.written(write.delete ? { writes: 0, deletes: 1 } : { writes: 1, deletes: 0 });
      } catch (error) {
        writeResults.push({});
        status.push(statusOf(error));
      }
    }
  });
  yield { writeResults, status };
}

async function* rollback(
  { engine, transactions }: Database,
  request: RollbackRequest,
): AsyncGenerator<object> {
  if (transactions.has(request.transaction)) {
    transactions.rollback(request.transaction);
  } else {
    // A read-only transaction, or one that has ended: the official emulator accepts both.
    await engine.rollback(request).catch(() => undefined);
  }
  yield {};
}

async function* runQuery(
  { engine, transactions, meter }: Database,
  request: RunQueryRequest,
): AsyncGenerator<object> {
  const query = requireQuery(request.structuredQuery);
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
  for (const [index, response] of responses.entries()) {
    yield {
      ...response,
      // The message of Google's emulator.
      ...(index === responses.length - 1 && { done: true }),
    };
  }
}

async function* aggregate(
  { engine, transactions, meter }: Database,
  request: RunAggregationRequest,
): AsyncGenerator<object> {
  const { structuredQuery, aggregations = [] } = request.structuredAggregationQuery ?? {};
  const query = requireQuery(structuredQuery);
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

async function* listDocuments(
  { engine, meter }: Database,
  request: ListDocumentsRequest,
): AsyncGenerator<object> {
  const { parent, collectionId, mask, showMissing = false } = request;
  const [found] = await engine.listDocuments({ parent, collectionId, showMissing });
  meter.documentsRead(Math.max(1, found.length));
  yield { documents: found.map((document) => masked(document, mask)) };
}

async function* listCollectionIds(
  { engine, meter }: Database,
  request: ListCollectionIdsRequest,
): AsyncGenerator<object> {
  const [collectionIds] = await engine.listCollectionIds(request);
  meter.documentsRead(1);
  yield { collectionIds };
}

/**
 * The transaction of a read: what is passed to the engine, and the id of a transaction that the read has started. The
 * engine only supports read-only transactions. It sees the reads of others as plain reads, and the gateway takes the
 * locks.
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

function requireQuery(query: StructuredQuery | null | undefined): StructuredQuery {
  if (query) return query;
  throw new StatusError(Status.INVALID_ARGUMENT, 'only structured queries are supported');
}

/** The lock keys of a write: the document, its collection, and its collection group. */
function keysWritten(writes: readonly Write[]): Set<string> {
  return new Set(
    writes.flatMap((write) => {
      const name = write.update?.name ?? write.transform?.document ?? write.delete ?? '';
      const collection = name.slice(0, name.lastIndexOf('/'));
      return [name, collection, groupKey(collection.slice(collection.lastIndexOf('/') + 1))];
    }),
  );
}

/** The lock keys of a query: whole collections. The real service locks ranges of its indexes. */
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

async function allOf<Response>(read: Readable): Promise<Response[]> {
  const responses: Response[] = [];
  for await (const response of read) responses.push(response as Response);
  return responses;
}

import { aggregate, parseAggregations } from '../engine/aggregations.ts';
import type { Database } from '../engine/database.ts';
import { parseFieldMask } from '../engine/fieldPaths.ts';
import { parseId } from '../engine/normalize.ts';
import { parseQuery, runQuery, type ParsedQuery } from '../engine/query.ts';
import { parseArray, parseObject } from '../engine/parseJson.ts';
import { TRANSACTION_FIELDS, type Transactions } from '../engine/transactions.ts';
import type { DatabaseUsage } from './databaseUsage.ts';

/** A database, its transactions and its usage. */
export interface DatabaseContext {
  readonly database: Database;
  readonly transactions: Transactions;
  readonly usage: DatabaseUsage;
  /** Checks that the index of a query exists, and warns if it is missing. */
  readonly checkIndexes: (query: ParsedQuery) => void;
}

/** The database of a call, and the path that the call addresses. */
interface CallContext extends DatabaseContext {
  /** The path of a document or a collection; empty for the root. */
  readonly path: string;
}

/**
 * Handlers by method name, the part of the URL after the colon. Each receives the request body and
 * returns the response body.
 */
export const METHODS: Readonly<Record<string, (context: CallContext, json: unknown) => unknown>> = {
  batchGet(context, json) {
    const { documents, mask, ...transactionFields } = parseObject(
      json,
      'documents',
      'mask',
      ...TRANSACTION_FIELDS,
    );
    const names = [...new Set(parseArray(documents))];
    const paths = parseFieldMask(mask);
    const { transactionHeader, result } = context.transactions.read(transactionFields, (database) =>
      names.map((name) => database.get(name, paths)),
    );
    // Reading a missing document costs as much as reading an existing one.
    context.usage.reads += names.length;
    const readTime = context.database.now();
    return [
      ...transactionHeader,
      ...names.map((missing, index) => {
        const document = result[index];
        return document ? { found: document, readTime } : { missing, readTime };
      }),
    ];
  },

  commit(context, json) {
    const request = parseObject(json, 'writes', 'transaction');
    const writes = parseArray(request.writes);
    const result = context.transactions.commit(request.transaction, writes);
    context.usage.writes += writes.length;
    return result;
  },

  rollback(context, json) {
    context.transactions.rollBack(parseObject(json, 'transaction').transaction);
    return {};
  },

  runQuery(context, json) {
    const { structuredQuery, ...transactionFields } = parseObject(
      json,
      'structuredQuery',
      ...TRANSACTION_FIELDS,
    );
    const { transactionHeader, result } = executeQuery(context, structuredQuery, transactionFields);
    context.usage.addQuery(result.length);
    const readTime = context.database.now();
    const documents = result.map((document) => ({ document, readTime }));
    return [...transactionHeader, ...(documents.length === 0 ? [{ readTime }] : documents)];
  },

  runAggregationQuery(context, json) {
    const { structuredAggregationQuery, ...transactionFields } = parseObject(
      json,
      'structuredAggregationQuery',
      ...TRANSACTION_FIELDS,
    );
    const query = parseObject(structuredAggregationQuery, 'structuredQuery', 'aggregations');
    const aggregations = parseAggregations(query.aggregations);
    const { transactionHeader, result } = executeQuery(
      context,
      query.structuredQuery,
      transactionFields,
    );
    context.usage.addQuery(result.length, true);
    const aggregateFields = aggregate(result, aggregations);
    return [
      ...transactionHeader,
      { result: { aggregateFields }, readTime: context.database.now() },
    ];
  },
};

/** Runs a query below the path of a call. */
function executeQuery(
  { transactions, checkIndexes, path }: CallContext,
  structuredQuery: unknown,
  transactionFields: object,
) {
  const query = parseQuery(structuredQuery);
  const parent = parsePath(path);
  const result = transactions.read(transactionFields, (database) =>
    runQuery(database, parent, query),
  );
  checkIndexes(query);
  return result;
}

function parsePath(path: string): string[] {
  return path === '' ? [] : path.split('/').map(parseId);
}

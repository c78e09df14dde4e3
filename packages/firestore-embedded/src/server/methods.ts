import { aggregate, parseAggregations } from '../engine/aggregations.ts';
import { parseId, type Database } from '../engine/database.ts';
import { parseFieldMask } from '../engine/fieldPaths.ts';
import { parseQuery, runQuery, type Query } from '../engine/query.ts';
import { parseArray, parseObject } from '../engine/parseJson.ts';
import { TRANSACTION_FIELDS, type Transactions } from '../engine/transactions.ts';
import type { Usage } from './usage.ts';

/** A database, and what the server keeps for it. */
export interface DatabaseContext {
  readonly database: Database;
  readonly transactions: Transactions;
  readonly usage: Usage;
  /** Called with each query. */
  readonly checkIndexes: (query: Query) => void;
}

/** The database of a call, and the path that the call addresses. */
export interface CallContext extends DatabaseContext {
  /** The path of a document or a collection; empty for the root. */
  readonly path: string;
}

/**
 * Handlers by method name, the part of the URL after the colon. Each receives the request body and
 * returns the response body.
 */
export const METHODS: Readonly<Record<string, (target: CallContext, json: unknown) => unknown>> = {
  batchGet(target, json) {
    const { documents, mask, ...rest } = parseObject(
      json,
      'documents',
      'mask',
      ...TRANSACTION_FIELDS,
    );
    const names = [...new Set(parseArray(documents))];
    const paths = parseFieldMask(mask);
    const { transactionHeader, found } = target.transactions.read(rest, (database) =>
      names.map((name) => database.get(name, paths)),
    );
    // A missing document costs as much as one that is found.
    target.usage.reads += names.length;
    const readTime = target.database.now();
    return [
      ...transactionHeader,
      ...names.map((missing, index) => {
        const document = found[index];
        return document ? { found: document, readTime } : { missing, readTime };
      }),
    ];
  },

  commit(target, json) {
    const { writes: sent, transaction } = parseObject(json, 'writes', 'transaction');
    const writes = parseArray(sent);
    const result = target.transactions.commit(transaction, writes);
    target.usage.writes += writes.length;
    return result;
  },

  rollback(target, json) {
    target.transactions.rollBack(parseObject(json, 'transaction').transaction);
    return {};
  },

  runQuery(target, json) {
    const { structuredQuery, ...rest } = parseObject(
      json,
      'structuredQuery',
      ...TRANSACTION_FIELDS,
    );
    const { transactionHeader, found } = executeQuery(target, structuredQuery, rest);
    target.usage.addQuery(found.length);
    const readTime = target.database.now();
    const documents = found.map((document) => ({ document, readTime }));
    return [...transactionHeader, ...(documents.length === 0 ? [{ readTime }] : documents)];
  },

  runAggregationQuery(target, json) {
    const { structuredAggregationQuery: sent, ...rest } = parseObject(
      json,
      ...(['structuredAggregationQuery', ...TRANSACTION_FIELDS] as const),
    );
    const { structuredQuery, aggregations } = parseObject(sent, 'structuredQuery', 'aggregations');
    const wanted = parseAggregations(aggregations);
    const { transactionHeader, found } = executeQuery(target, structuredQuery, rest);
    target.usage.addQuery(found.length, true);
    const aggregateFields = aggregate(found, wanted);
    return [...transactionHeader, { result: { aggregateFields }, readTime: target.database.now() }];
  },
};

/** What a query finds below the path of a call. */
function executeQuery(
  { transactions, checkIndexes, path }: CallContext,
  structuredQuery: unknown,
  sent: object,
) {
  const query = parseQuery(structuredQuery);
  const parent = parsePath(path);
  const result = transactions.read(sent, (database) => runQuery(database, parent, query));
  checkIndexes(query);
  return result;
}

function parsePath(path: string): string[] {
  return path === '' ? [] : path.split('/').map(parseId);
}

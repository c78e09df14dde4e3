import { aggregate, parseAggregations } from './aggregations.ts';
import { requireId, type Database } from './memoryDatabase.ts';
import { maskOf } from './fields.ts';
import { parseQuery, runQuery, type Query } from './query.ts';
import { elements, members } from './refusal.ts';
import { IN_TRANSACTION, type Transactions } from './transactions.ts';
import type { Usage } from './usage.ts';

/** The database and the path that a call addresses. */
export interface Target {
  readonly database: Database;
  readonly transactions: Transactions;
  readonly usage: Usage;
  /** Called with each query. */
  readonly checkIndexes: (query: Query) => void;
  /** The path of a document or a collection; empty for the root. */
  readonly path: string;
}

/**
 * Handlers by method name, the part of the URL after the colon. Each receives the request body and
 * returns the response body.
 */
export const CALLS: Readonly<Record<string, (target: Target, json: unknown) => unknown>> = {
  batchGet(target, json) {
    const { documents, mask, ...rest } = members(json, 'documents', 'mask', ...IN_TRANSACTION);
    const names = [...new Set(elements(documents))];
    const paths = maskOf(mask);
    const { begun, found } = target.transactions.read(rest, (database) =>
      names.map((name) => database.get(name, paths)),
    );
    // A missing document costs as much as one that is found.
    target.usage.reads += names.length;
    const readTime = target.database.now();
    return [
      ...begun,
      ...names.map((missing, index) => {
        const document = found[index];
        return document ? { found: document, readTime } : { missing, readTime };
      }),
    ];
  },

  commit(target, json) {
    const { writes: sent, transaction } = members(json, 'writes', 'transaction');
    const writes = elements(sent);
    const result = target.transactions.commit(transaction, writes);
    target.usage.writes += writes.length;
    return result;
  },

  rollback(target, json) {
    target.transactions.end(members(json, 'transaction').transaction);
    return {};
  },

  runQuery(target, json) {
    const { structuredQuery, ...rest } = members(json, 'structuredQuery', ...IN_TRANSACTION);
    const { begun, found } = find(target, structuredQuery, rest);
    target.usage.addQuery(found.length);
    const readTime = target.database.now();
    const documents = found.map((document) => ({ document, readTime }));
    return [...begun, ...(documents.length === 0 ? [{ readTime }] : documents)];
  },

  runAggregationQuery(target, json) {
    const { structuredAggregationQuery: sent, ...rest } = members(
      json,
      ...(['structuredAggregationQuery', ...IN_TRANSACTION] as const),
    );
    const { structuredQuery, aggregations } = members(sent, 'structuredQuery', 'aggregations');
    const wanted = parseAggregations(aggregations);
    const { begun, found } = find(target, structuredQuery, rest);
    target.usage.addQuery(found.length, true);
    const aggregateFields = aggregate(found, wanted);
    return [...begun, { result: { aggregateFields }, readTime: target.database.now() }];
  },
};

/** What a query finds below the path of a call. */
function find(
  { transactions, checkIndexes, path }: Target,
  structuredQuery: unknown,
  sent: object,
) {
  const query = parseQuery(structuredQuery);
  const parent = idsIn(path);
  const result = transactions.read(sent, (database) => runQuery(database, parent, query));
  checkIndexes(query);
  return result;
}

function idsIn(path: string): string[] {
  return path === '' ? [] : path.split('/').map(requireId);
}

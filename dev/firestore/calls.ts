import { aggregate, parseAggregations } from './aggregations.ts';
import { idsOf, requireId, type Database } from './database.ts';
import { maskOf, type Path } from './fields.ts';
import { parseQuery, runQuery, wholeNumber } from './query.ts';
import { elements, members, Refusal } from './refusal.ts';
import type { Transactions } from './transactions.ts';
import type { Usage } from './usage.ts';
import { compareKeys, keyOf } from './values.ts';

/** What a call works on. */
export interface Target {
  readonly database: Database;
  readonly transactions: Transactions;
  readonly usage: Usage;
  /** The path of a document or a collection; empty for the root. */
  readonly path: string;
}

const IN_TRANSACTION = ['transaction', 'newTransaction'] as const;

/** The calls by the word after the colon. Each gets what was sent, and returns the response. */
export const CALLS: Readonly<Record<string, (target: Target, json: unknown) => unknown>> = {
  batchGet(target, json) {
    const { documents, mask, ...rest } = members(json, 'documents', 'mask', ...IN_TRANSACTION);
    const names = [...new Set(elements(documents))];
    const paths = maskOf(mask);
    const { begun, read } = reader(target, rest);
    const found = read((database) => names.map((name) => database.get(name, paths)));
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
    target.usage.addWrites(writes);
    return result;
  },

  batchWrite(target, json) {
    const writeResults: object[] = [];
    const status = elements(members(json, 'writes', 'labels').writes).map((write) => {
      try {
        writeResults.push(...target.database.commit([write]).writeResults);
        target.usage.addWrites([write]);
        return {};
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        writeResults.push({});
        return error.rpcStatus;
      }
    });
    return { writeResults, status };
  },

  beginTransaction(target, json) {
    return { transaction: target.transactions.begin(members(json, 'options').options) };
  },

  rollback(target, json) {
    target.transactions.end(members(json, 'transaction').transaction);
    return {};
  },

  runQuery(target, json) {
    const { structuredQuery, ...rest } = members(json, 'structuredQuery', ...IN_TRANSACTION);
    const query = parseQuery(structuredQuery);
    const parent = parentOf(target);
    const { begun, read } = reader(target, rest);
    const found = read((database) => runQuery(database, parent, query));
    target.usage.addQuery(query, found.length + query.offset);
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
    const query = parseQuery(structuredQuery);
    const parent = parentOf(target);
    const { begun, read } = reader(target, rest);
    const found = read((database) => runQuery(database, parent, query));
    target.usage.addQuery(query, found.length, wanted);
    const aggregateFields = aggregate(found, wanted);
    return [...begun, { result: { aggregateFields }, readTime: target.database.now() }];
  },

  listCollectionIds({ database, usage, path }, json) {
    const { pageSize } = members(json, 'pageSize');
    const ids = database.below(idsIn(path)).map((below) => below.split('/')[0]);
    usage.reads += 1;
    return { collectionIds: [...new Set(ids)].sort().slice(0, Number(pageSize ?? Infinity)) };
  },
};

type InTransaction = Partial<Record<(typeof IN_TRANSACTION)[number], unknown>>;

/** Reads in a transaction, if one was sent, or is begun by the call; then the response starts with its id. */
function reader({ transactions }: Target, { transaction, newTransaction }: InTransaction) {
  const begun = newTransaction === undefined ? undefined : transactions.begin(newTransaction);
  return {
    begun: begun === undefined ? [] : [{ transaction: begun }],
    read: <Result>(from: (database: Database) => Result) =>
      transactions.read(begun ?? transaction, from),
  };
}

function parentOf({ database, path }: Target): Path {
  return path === '' ? [] : idsOf(`${database.root}/${path}`, database.root);
}

function idsIn(path: string): string[] {
  return path === '' ? [] : path.split('/').map(requireId);
}

/** Reads a document, or a page of a collection. */
export function read(
  { database, usage, path }: Target,
  parameters: Readonly<Record<string, string>>,
): unknown {
  members(
    parameters,
    // The Admin SDK over REST asks for the numbers of enumerations; there are none in the response.
    ...['pageSize', 'pageToken', 'showMissing', '$alt'],
  );
  const { pageSize = '100', pageToken = '', showMissing } = parameters;
  const ids = idsIn(path);
  const whole = `${database.root}/${path}`;
  if (ids.length % 2 === 0) {
    usage.reads += 1;
    const document = database.get(whole);
    if (document) return document;
    throw new Refusal('NOT_FOUND', `Document (${path}) not found.`);
  }
  // A document that is missing is shown if there are others below it.
  const names = new Set(
    database.below(ids).map((below) => `${whole}/${below.split('/')[0] ?? ''}`),
  );
  const shown = [...names]
    .filter((name) => showMissing === 'true' || database.get(name))
    .sort(compareNames)
    .filter((name) => compareNames(name, pageToken) > 0);
  const size = wholeNumber(pageSize) ?? 0;
  const documents = shown.slice(0, size).map((name) => database.get(name) ?? { name });
  usage.reads += Math.max(1, documents.length);
  const nextPageToken = shown.length > size ? documents.at(-1)?.name : undefined;
  return documents.length === 0 ? {} : { documents, nextPageToken };
}

function compareNames(a: string, b: string): number {
  return compareKeys(keyOf({ referenceValue: a }), keyOf({ referenceValue: b }));
}

import { idsOf, requireId, type Database } from './database.ts';
import { maskOf, type Path } from './fields.ts';
import { parseQuery, runQuery } from './query.ts';
import { elements, members, Refusal, unimplemented } from './refusal.ts';
import type { Usage } from './usage.ts';

/** What a call works on. */
export interface Target {
  readonly database: Database;
  readonly usage: Usage;
  /** The path of a document or a collection; empty for the root. */
  readonly path: string;
}

/** The calls by the word after the colon. Each gets what was sent, and returns the response. */
export const CALLS: Readonly<Record<string, (target: Target, json: unknown) => unknown>> = {
  batchGet({ database, usage, path }, json) {
    requireRoot(path);
    const { documents, mask } = members(json, 'documents', 'mask');
    const names = [...new Set(elements(documents))];
    const paths = maskOf(mask);
    const found = names.map((name) => database.get(name, paths));
    // A missing document costs as much as one that is found.
    usage.reads += names.length;
    const readTime = database.now();
    return names.map((missing, index) => {
      const document = found[index];
      return document ? { found: document, readTime } : { missing, readTime };
    });
  },

  commit({ database, usage, path }, json) {
    requireRoot(path);
    const writes = elements(members(json, 'writes').writes);
    const result = database.commit(writes);
    usage.addWrites(writes);
    return result;
  },

  runQuery({ database, usage, path }, json) {
    const query = parseQuery(members(json, 'structuredQuery').structuredQuery);
    const found = runQuery(database, parentOf(database, path), query);
    usage.addQuery(query, found.length, false);
    const readTime = database.now();
    return found.length === 0 ? [{ readTime }] : found.map((document) => ({ document, readTime }));
  },

  runAggregationQuery({ database, usage, path }, json) {
    const { structuredAggregationQuery: sent } = members(json, 'structuredAggregationQuery');
    const { structuredQuery, aggregations } = members(sent, 'structuredQuery', 'aggregations');
    const [aggregation, ...others] = elements(aggregations);
    if (others.length > 0) throw unimplemented('several aggregations');
    const { alias, count } = members(aggregation, 'alias', 'count');
    members(count);
    if (typeof alias !== 'string') throw unimplemented('aggregations without alias');
    const query = parseQuery(structuredQuery);
    const { length } = runQuery(database, parentOf(database, path), query);
    usage.addQuery(query, length, true);
    const aggregateFields = { [alias]: { integerValue: String(length) } };
    return [{ result: { aggregateFields }, readTime: database.now() }];
  },
};

/** These calls name whole paths themselves. Google's emulator would accept a path, but Firestore has no such address. */
function requireRoot(path: string): void {
  if (path !== '') throw new Refusal('NOT_FOUND', 'Not Found');
}

function parentOf(database: Database, path: string): Path {
  return path === '' ? [] : idsOf(`${database.root}/${path}`, database.root);
}

const PAGE_SIZE = '100';

/** Reads a document, or a page of a collection: for people with curl, and for tests. */
export function read(target: Target, parameters: Readonly<Record<string, string>>): unknown {
  const { database, usage, path } = target;
  const { pageSize = PAGE_SIZE, pageToken } = members(parameters, 'pageSize', 'pageToken');
  const ids = path.split('/').map(requireId);
  if (ids.length % 2 === 0) {
    usage.reads += 1;
    const document = database.get(`${database.root}/${path}`);
    if (document) return document;
    throw new Refusal('NOT_FOUND', `Document (${path}) not found.`);
  }
  const startAt = pageToken && { values: [{ referenceValue: pageToken }] };
  const query = parseQuery({
    from: [{ collectionId: ids.at(-1) }],
    orderBy: [{ field: { fieldPath: '__name__' } }],
    limit: pageSize,
    startAt,
  });
  const documents = runQuery(database, ids.slice(0, -1), query);
  usage.reads += Math.max(1, documents.length);
  const nextPageToken = documents.length === query.limit ? documents.at(-1)?.name : undefined;
  return documents.length === 0 ? {} : { documents, nextPageToken };
}

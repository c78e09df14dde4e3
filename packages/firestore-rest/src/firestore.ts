/** Reads and writes documents. */
import type { firestore_v1 as v1 } from '@googleapis/firestore';
import { createRestClient, type FirestoreOptions } from './restClient.ts';
import { retryRead, type CallLimits } from './retry.ts';
import type { Position, Query, QueryResult, Write } from './types.ts';
import {
  decodeDocument,
  encodeCount,
  encodeQuery,
  encodeWrite,
  getParentPath,
  parseBatchGet,
  parseCount,
  parseQueryResults,
  toResourceName,
} from './wireFormat.ts';

/**
 * A database. All operations throw a `FirestoreError`. Reads are retried after transient errors until the deadline, and
 * return how many `reads` Firestore bills (https://firebase.google.com/docs/firestore/pricing).
 */
export type Firestore = ReturnType<typeof createFirestore>;

/** Creates a client of a database. Connections open with the first calls. */
export function createFirestore(database: FirestoreOptions) {
  const { documentsRoot, call } = createRestClient(database);

  return {
    /** Reads documents by path, with the fields of the mask only. A missing document is undefined. */
    async get(paths: readonly string[], mask: readonly string[], limits: CallLimits) {
      const names = paths.map((path) => toResourceName(documentsRoot, path));
      const request = { documents: names, mask: { fieldPaths: [...mask] } };
      const parse = (response: unknown) => parseBatchGet(response, names);
      const resources = await retryRead(limits, () => call('batchGet', '', request, parse, limits));
      const documents = resources.map(
        (resource) => resource && decodeDocument(documentsRoot, resource),
      );
      return { documents, reads: paths.length };
    },

    /** Reads up to `limit` documents of a list, from its start or after a position. */
    async find(
      query: Query,
      limit: number,
      after: Position | undefined,
      limits: CallLimits,
    ): Promise<QueryResult> {
      const request = { structuredQuery: encodeQuery(documentsRoot, query, limit, after) };
      const { resources, bytes } = await retryRead(limits, () =>
        call('runQuery', getParentPath(query), request, parseQueryResults, limits),
      );
      const documents = resources.map((resource) => decodeDocument(documentsRoot, resource));
      return { documents, bytes, reads: Math.max(1, documents.length) };
    },

    /** Counts the documents of a list. */
    async count(query: Query, limits: CallLimits) {
      const request = { structuredAggregationQuery: encodeCount(query) };
      const total = await retryRead(limits, () =>
        call('runAggregationQuery', getParentPath(query), request, parseCount, limits),
      );
      return { total, reads: Math.max(1, Math.ceil(total / 1000)) };
    },

    /**
     * Commits all writes atomically, without retries. On failure, `wasNotApplied` of the error
     * tells whether it is certain that nothing was written.
     */
    async commit(writes: readonly Write[], limits: CallLimits): Promise<void> {
      const request = { writes: writes.map((write) => encodeWrite(documentsRoot, write)) };
      const parse = (response: unknown) =>
        (response as v1.Schema$CommitResponse).writeResults?.length === writes.length || undefined;
      await call('commit', '', request, parse, limits);
    },
  };
}

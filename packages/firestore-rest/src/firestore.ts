/** Reads and writes documents. */
import type { firestore_v1 as v1 } from '@googleapis/firestore';
import type { CallOptions } from './callOptions.ts';
import { createRestClient, type FirestoreOptions } from './restClient.ts';
import { retryRead } from './retry.ts';
import type { Fields, Value } from './values.ts';
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

/** A document, or the fields of it that were read. */
export interface StoredDocument {
  readonly id: string;
  /** The path below the database: `flash/abc`. */
  readonly path: string;
  readonly fields: Fields;
  /** Identifies the version of the document. */
  readonly updateTime: string;
}

/** A position in a list: the path of a document, and the field that orders the list. */
export type Position = Pick<StoredDocument, 'path' | 'fields'>;

/**
 * A query: the documents of a collection that match the equality filters, ordered by a field, then
 * by ID.
 */
export interface Query {
  /** The path of the collection: `flash`, or `conversations/abc/messages`. */
  readonly collection: string;
  /** Reads all collections whose id is `collection`, at any depth. */
  readonly isCollectionGroup?: boolean;
  /** The value that each field must have. */
  readonly where: Readonly<Record<string, string | boolean>>;
  /** The field that orders the list. Documents without it are not in the list. */
  readonly orderBy?: string;
  readonly descending?: true;
  /** The fields to read. An empty list reads all fields. */
  readonly select: readonly string[];
}

/** Documents of a list, and what reading them cost. */
export interface QueryResult {
  readonly documents: readonly StoredDocument[];
  readonly reads: number;
  /** The size of the response. */
  readonly bytes: number;
}

/** New field values of a document. An undefined field is deleted, or omitted in a new document. */
export type FieldChanges = Readonly<Record<string, Value | undefined>>;

/** A version of a document. */
export type DocumentVersion = Pick<StoredDocument, 'path' | 'updateTime'>;

/**
 * A write with its precondition: a new document must not exist yet; a changed or deleted document must still have the
 * version that was read.
 */
export type Write =
  | { readonly create: string; readonly fields: FieldChanges }
  | { readonly update: DocumentVersion; readonly changes: FieldChanges }
  | { readonly delete: DocumentVersion };

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
    async get(paths: readonly string[], mask: readonly string[], options: CallOptions) {
      const names = paths.map((path) => toResourceName(documentsRoot, path));
      const request = { documents: names, mask: { fieldPaths: [...mask] } };
      const parse = (response: unknown) => parseBatchGet(response, names);
      const resources = await retryRead(options, () =>
        call('batchGet', '', request, parse, options),
      );
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
      options: CallOptions,
    ): Promise<QueryResult> {
      const request = { structuredQuery: encodeQuery(documentsRoot, query, limit, after) };
      const { resources, bytes } = await retryRead(options, () =>
        call('runQuery', getParentPath(query), request, parseQueryResults, options),
      );
      const documents = resources.map((resource) => decodeDocument(documentsRoot, resource));
      return { documents, bytes, reads: Math.max(1, documents.length) };
    },

    /** Counts the documents of a list. */
    async count(query: Query, options: CallOptions) {
      const request = { structuredAggregationQuery: encodeCount(query) };
      const total = await retryRead(options, () =>
        call('runAggregationQuery', getParentPath(query), request, parseCount, options),
      );
      return { total, reads: Math.max(1, Math.ceil(total / 1000)) };
    },

    /**
     * Commits all writes atomically, without retries. On failure, `wasNotApplied` of the error
     * tells whether it is certain that nothing was written.
     */
    async commit(writes: readonly Write[], options: CallOptions): Promise<void> {
      const request = { writes: writes.map((write) => encodeWrite(documentsRoot, write)) };
      const parse = (response: unknown) =>
        (response as v1.Schema$CommitResponse).writeResults?.length === writes.length || undefined;
      await call('commit', '', request, parse, options);
    },
  };
}

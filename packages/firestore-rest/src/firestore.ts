/** Reads and writes documents. */
import type { firestore_v1 as v1 } from '@googleapis/firestore';
import { createRestClient, retryRead, type FirestoreOptions } from './restClient.ts';
import type { CallOptions } from './callOptions.ts';
import { encodeValue, type Fields, type Value } from './values.ts';

/** A document, or the fields of it that were read. */
export interface StoredDocument {
  readonly id: string;
  /** The path below the database: `flash/abc`. */
  readonly path: string;
  readonly fields: Fields;
  /** Identifies the version of the document. */
  readonly updateTime: string;
}

/** A place in a list: the path of a document, and the field that orders the list. */
export type Position = Pick<StoredDocument, 'path' | 'fields'>;

/**
 * A query: the documents of a collection that match the equality filters, ordered by a field, then
 * by ID.
 */
export interface Query {
  /** The path of the collection: `flash`, or `conversations/abc/messages`. */
  readonly collection: string;
  /** Whether `collection` is the id of all collections to read, wherever they are. */
  readonly isCollectionGroup?: boolean;
  /** The value that each field must have. */
  readonly where: Readonly<Record<string, string | boolean>>;
  /** The field that orders the list. Documents without it are not in the list. */
  readonly orderBy?: string;
  readonly descending?: true;
  /** The fields to read; all, if it names none. */
  readonly select: readonly string[];
}

/** Documents of a list. */
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
 * A new document, on condition that nothing has its path; or a change of one document, on condition that it still has the
 * version that was read.
 */
export type Write =
  | { readonly create: string; readonly fields: FieldChanges }
  | { readonly update: DocumentVersion; readonly changes: FieldChanges }
  | { readonly delete: DocumentVersion };

/**
 * A database. All verbs throw a `FirestoreError`. Those that read are retried after transient errors until the deadline, and
 * say how many `reads` they cost (https://firebase.google.com/docs/firestore/pricing).
 */
export type Firestore = ReturnType<typeof createFirestore>;

/** Opens a database; the connections open with the first calls. */
export function createFirestore(options: FirestoreOptions) {
  const { documentsRoot, call } = createRestClient(options);
  const toResourceName = (path: string) => `${documentsRoot}/${path}`;

  function decodeDocument(document: DocumentJson): StoredDocument {
    const { name, fields = {}, updateTime } = document;
    const id = name.slice(name.lastIndexOf('/') + 1);
    return { id, path: name.slice(documentsRoot.length + 1), fields, updateTime };
  }

  function encodeCursor({ orderBy }: Query, { path, fields }: Position): v1.Schema$Cursor {
    const name = { referenceValue: toResourceName(path) };
    const place = orderBy === undefined ? [] : [fields[orderBy] ?? { nullValue: null }];
    return { values: [...place.map(asGoogleValue), name], before: false };
  }

  function encodeWrite(write: Write): v1.Schema$Write {
    if ('create' in write) {
      const update = { name: toResourceName(write.create), fields: asFields(write.fields) };
      return { update, currentDocument: { exists: false } };
    }
    if ('delete' in write) {
      const { path, updateTime } = write.delete;
      return { delete: toResourceName(path), currentDocument: { updateTime } };
    }
    const { update, changes } = write;
    const { path, updateTime } = update;
    return {
      update: { name: toResourceName(path), fields: asFields(changes) },
      updateMask: { fieldPaths: Object.keys(changes) },
      currentDocument: { updateTime },
    };
  }

  return {
    /** Reads documents by path, with the fields of the mask only; undefined for each that does not exist. */
    async get(paths: readonly string[], mask: readonly string[], limits: CallOptions) {
      const names = paths.map(toResourceName);
      const request = { documents: names, mask: { fieldPaths: [...mask] } };
      const read = (response: unknown) => parseBatchGet(response, names);
      const found = await retryRead(limits, () => call('batchGet', '', request, read, limits));
      const documents = found.map((document) => document && decodeDocument(document));
      return { documents, reads: paths.length };
    },
    /** Reads up to `limit` documents of a list, from its start or after a position. */
    async find(
      query: Query,
      limit: number,
      after: Position | undefined,
      limits: CallOptions,
    ): Promise<QueryResult> {
      const structuredQuery = {
        // Google's emulator treats an empty selection as "select nothing".
        ...(query.select.length > 0 && {
          select: { fields: query.select.map((fieldPath) => ({ fieldPath })) },
        }),
        ...buildStructuredQuery(query),
        ...(after && { startAt: encodeCursor(query, after) }),
        limit,
      };
      const { found, bytes } = await retryRead(limits, () =>
        call('runQuery', parentPath(query), { structuredQuery }, parseQueryResults, limits),
      );
      const documents = found.map(decodeDocument);
      return { documents, bytes, reads: Math.max(1, documents.length) };
    },
    async count(query: Query, limits: CallOptions) {
      const aggregations = [{ alias: 'count', count: {} }];
      const structuredAggregationQuery = {
        structuredQuery: buildStructuredQuery(query),
        aggregations,
      };
      const request = { structuredAggregationQuery };
      const total = await retryRead(limits, () =>
        call('runAggregationQuery', parentPath(query), request, parseCount, limits),
      );
      return { total, reads: Math.max(1, Math.ceil(total / 1000)) };
    },
    /**
     * Commits all writes atomically, without retries. On failure, `wasNotApplied` of the error
     * tells whether it is certain that nothing was written.
     */
    async commit(writes: readonly Write[], limits: CallOptions): Promise<void> {
      const read = (response: unknown) =>
        (response as v1.Schema$CommitResponse).writeResults?.length === writes.length || undefined;
      await call('commit', '', { writes: writes.map(encodeWrite) }, read, limits);
    },
  };
}

/** A document as REST has it. */
interface DocumentJson {
  readonly name: string;
  readonly fields?: Fields;
  readonly updateTime: string;
}

/** The documents in the order of `names`; undefined if the response does not cover all of them. */
function parseBatchGet(
  response: unknown,
  names: readonly string[],
): (DocumentJson | undefined)[] | undefined {
  const documents = new Map<string, DocumentJson | undefined>();
  for (const { found, missing } of response as { found?: DocumentJson; missing?: string }[]) {
    if (found !== undefined) documents.set(found.name, found);
    if (missing !== undefined) documents.set(missing, undefined);
  }
  if (!names.every((name) => documents.has(name))) return undefined;
  const all = names.map((name) => documents.get(name));
  return all.every((document) => document === undefined || hasNameAndVersion(document))
    ? all
    : undefined;
}

/** Even an empty result has one element. Elements without a document are progress messages. */
function parseQueryResults(response: unknown, bytes: number) {
  const elements = response as { readonly document?: DocumentJson }[];
  if (elements.length === 0) return undefined;
  const found = elements.flatMap(({ document }) => document ?? []);
  return found.every(hasNameAndVersion) ? { found, bytes } : undefined;
}

/** Whether a document has the name and version that later writes need. */
function hasNameAndVersion({ name, updateTime }: DocumentJson): boolean {
  return typeof name === 'string' && typeof updateTime === 'string';
}

function parseCount(response: unknown): number | undefined {
  const elements = response as v1.Schema$RunAggregationQueryResponse[];
  const counted = elements.map(({ result }) => result?.aggregateFields?.count?.integerValue);
  const total = counted.find((digits) => typeof digits === 'string' && /^\d+$/.test(digits));
  return typeof total === 'string' ? Number(total) : undefined;
}

function buildStructuredQuery({
  collection,
  isCollectionGroup,
  where,
  orderBy,
  descending,
}: Query): v1.Schema$StructuredQuery {
  const direction = descending ? 'DESCENDING' : 'ASCENDING';
  const filters = Object.entries(where).map(([fieldPath, value]) => ({
    fieldFilter: { field: { fieldPath }, op: 'EQUAL', value: asGoogleValue(encodeValue(value)) },
  }));
  const order = [...(orderBy === undefined ? [] : [orderBy]), '__name__'];
  return {
    from: [
      {
        collectionId: collection.slice(collection.lastIndexOf('/') + 1),
        ...(isCollectionGroup && { allDescendants: true }),
      },
    ],
    ...(filters.length > 0 && { where: { compositeFilter: { op: 'AND', filters } } }),
    orderBy: order.map((fieldPath) => ({ field: { fieldPath }, direction })),
  };
}

function parentPath({ collection }: Query): string {
  return collection.slice(0, Math.max(0, collection.lastIndexOf('/')));
}

/** Google's type of fields: JSON has no members that are undefined. */
function asFields(changes: FieldChanges): Record<string, v1.Schema$Value> {
  return changes as Record<string, v1.Schema$Value>;
}

/** Google's type of a value, in which doubles are always numbers. */
function asGoogleValue(value: Value): v1.Schema$Value {
  return value as v1.Schema$Value;
}

/** Reads and writes documents, and counts both as Firestore bills them. */
import { currentContext } from '../platform/requestContext.ts';
import { call, commitOnce, nameOf, pathOf, type CommitOutcome } from './client.ts';
import { fromValue, toValue, type Fields, type Value } from '@tattoo-marketplace/firestore-rest';

/** A document, or the fields of it that were read. */
export interface StoredDocument {
  readonly id: string;
  /** The path below the database: `flash/abc`. */
  readonly path: string;
  readonly fields: Fields;
  /** When it was created. A document that was deleted and created anew has another one. */
  readonly createTime: string;
  /** Identifies the version of the document. */
  readonly updateTime: string;
}

/** Where a document stands in a list: its path, and the fields that decide it (`fieldsOfPosition`). */
export type Position = Pick<StoredDocument, 'path' | 'fields'>;

/** A list: the documents of a collection whose fields have these values, ordered by a field, then by id. */
export interface Query {
  /** The path of the collection: `flash`, or `conversations/abc/messages`. */
  readonly collection: string;
  /** The value that each field must have. */
  readonly where: Readonly<Record<string, string | boolean>>;
  /** The field that orders the list. Documents without it are not in the list. */
  readonly orderBy?: string;
  readonly descending?: true;
  /** The fields to read. */
  readonly select: readonly string[];
}

/** A list with an order of its own, which has pages. Without one, documents are ordered by id. */
export interface OrderedQuery extends Query {
  readonly orderBy: string;
}

interface DocumentJson {
  readonly name: string;
  readonly fields?: Fields;
  readonly createTime: string;
  readonly updateTime: string;
}

/**
 * Reads documents by path, with the fields of the mask only; undefined for each that does not exist. Costs one read per
 * path, whether the document exists or not.
 */
export async function getDocuments(
  paths: readonly string[],
  mask: readonly string[],
): Promise<(StoredDocument | undefined)[]> {
  const names = paths.map(nameOf);
  const request = { documents: names, mask: { fieldPaths: mask } };
  const found = await call('batchGet', '', request, (response) => readBatch(response, names));
  meterReads(paths.length);
  return found;
}

/** Reads one document. */
export async function getDocument(
  path: string,
  mask: readonly string[],
): Promise<StoredDocument | undefined> {
  return (await getDocuments([path], mask))[0];
}

/** The documents in the order of `names`; undefined if the response does not cover all of them. */
function readBatch(
  response: unknown,
  names: readonly string[],
): (StoredDocument | undefined)[] | undefined {
  if (!Array.isArray(response)) return undefined;
  const documents = new Map<string, StoredDocument | undefined>();
  for (const { found, missing } of response as { found?: DocumentJson; missing?: string }[]) {
    if (found !== undefined) documents.set(found.name, storedDocument(found));
    if (missing !== undefined) documents.set(missing, undefined);
  }
  return names.every((name) => documents.has(name))
    ? names.map((name) => documents.get(name))
    : undefined;
}

/** Reads up to `limit` documents of a list, from its start or after a position. */
export async function find(
  query: Query,
  limit: number,
  after?: Position,
): Promise<StoredDocument[]> {
  const structuredQuery = {
    select: { fields: query.select.map((fieldPath) => ({ fieldPath })) },
    ...selection(query),
    ...(after && { startAt: { values: positionOf(query, after), before: false } }),
    limit,
  };
  const found = await call('runQuery', parentOf(query), { structuredQuery }, readFound);
  meterReads(Math.max(1, found.length));
  return found;
}

function readFound(response: unknown): StoredDocument[] | undefined {
  // Even an empty result has one element. Each has the read time, but for one that only says that it is the last.
  if (!Array.isArray(response) || response.length === 0) return undefined;
  const elements = response as { document?: DocumentJson; readTime?: string; done?: boolean }[];
  if (elements.some(({ readTime, done }) => (readTime ?? done) === undefined)) return undefined;
  return elements.flatMap(({ document }) => (document ? [storedDocument(document)] : []));
}

/** Counts the documents of a list. Costs one read per 1000 documents, and at least one. */
export async function count(query: Query): Promise<number> {
  const structuredAggregationQuery = {
    structuredQuery: selection(query),
    aggregations: [{ alias: 'count', count: {} }],
  };
  const total = await call(
    'runAggregationQuery',
    parentOf(query),
    { structuredAggregationQuery },
    readCount,
  );
  meterReads(Math.max(1, Math.ceil(total / 1000)));
  return total;
}

function readCount(response: unknown): number | undefined {
  if (!Array.isArray(response)) return undefined;
  const elements = response as { result?: { aggregateFields?: { count?: Value } } }[];
  const counted = elements.map(({ result }) => result?.aggregateFields?.count?.integerValue);
  const total = counted.find((digits) => digits !== undefined);
  return total === undefined ? undefined : Number(total);
}

/** Whether a document is in a list. */
export function contains({ where, orderBy }: OrderedQuery, { fields }: Position): boolean {
  return (
    orderBy in fields &&
    Object.entries(where).every(([path, value]) => fromValue(fields[path]) === value)
  );
}

/** The fields that decide whether, and where, a document is in the list. */
export function fieldsOfPosition({ where, orderBy }: OrderedQuery): string[] {
  return [...Object.keys(where), orderBy];
}

function positionOf({ orderBy }: Query, document: Position): Value[] {
  const name = { referenceValue: nameOf(document.path) };
  return orderBy === undefined ? [name] : [document.fields[orderBy] ?? { nullValue: null }, name];
}

function selection({ collection, where, orderBy, descending }: Query): object {
  const direction = descending ? 'DESCENDING' : 'ASCENDING';
  const filters = Object.entries(where).map(([fieldPath, value]) => ({
    fieldFilter: { field: { fieldPath }, op: 'EQUAL', value: toValue(value) },
  }));
  const order = [...(orderBy === undefined ? [] : [orderBy]), '__name__'];
  return {
    from: [{ collectionId: collection.slice(collection.lastIndexOf('/') + 1) }],
    ...(filters.length > 0 && { where: { compositeFilter: { op: 'AND', filters } } }),
    orderBy: order.map((fieldPath) => ({ field: { fieldPath }, direction })),
  };
}

function parentOf({ collection }: Query): string {
  return collection.slice(0, Math.max(0, collection.lastIndexOf('/')));
}

/** New values for fields of a document; a field that is undefined is removed. */
export type Changes = Readonly<Record<string, Value | undefined>>;

/** A change of one document, on condition that it has not changed since it was read. */
export type Write =
  | { readonly update: StoredDocument; readonly changes: Changes }
  | { readonly delete: StoredDocument };

/** Commits all changes or none, once. */
export async function commit(writes: readonly Write[]): Promise<CommitOutcome> {
  return commitOnce(writes.map(writeJson));
}

function writeJson(write: Write): object {
  if ('delete' in write) {
    const { path, updateTime } = write.delete;
    return { delete: nameOf(path), currentDocument: { updateTime } };
  }
  const { update, changes } = write;
  const { path, updateTime } = update;
  return {
    // JSON has no members that are undefined.
    update: { name: nameOf(path), fields: changes },
    updateMask: { fieldPaths: Object.keys(changes) },
    currentDocument: { updateTime },
  };
}

function storedDocument({
  name,
  fields = {},
  createTime,
  updateTime,
}: DocumentJson): StoredDocument {
  const id = name.slice(name.lastIndexOf('/') + 1);
  return { id, path: pathOf(name), fields, createTime, updateTime };
}

function meterReads(reads: number): void {
  currentContext().usage.reads += reads;
}

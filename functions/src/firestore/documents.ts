/** What models read and write, metered as Firestore bills it. */
import { currentContext } from '../requestContext.ts';
import { call, commitOnce, nameOf, pathOf, type CommitOutcome } from './client.ts';
import { fromValue, toValue, type Fields, type Value } from './values.ts';

/** A document as it was read, or the part of it that a mask names. */
export interface StoredDocument {
  readonly id: string;
  /** Below the database: `flash/abc`. */
  readonly path: string;
  readonly fields: Fields;
  /** Which version of the document this is. */
  readonly updateTime: string;
}

/** A list in one collection: the documents whose fields have these values, in an order that ends with their ids. */
export interface Query {
  /** The path of the collection: `flash`, or `conversations/abc/messages`. */
  readonly collection: string;
  /** Fields, and the value that each must have. */
  readonly where: Readonly<Record<string, string | boolean>>;
  /** The field by which the list is ordered, before the ids; a document without it is not in the list. */
  readonly orderBy?: string;
  readonly descending?: true;
  /** The fields that are read. */
  readonly select: readonly string[];
}

interface DocumentJson {
  readonly name: string;
  readonly fields?: Fields;
  readonly updateTime: string;
}

/**
 * Reads documents by their paths, with the fields of the mask only; undefined for each that does not exist. Costs a read
 * for each, found or not.
 */
export async function getDocuments(
  paths: readonly string[],
  mask: readonly string[],
): Promise<(StoredDocument | undefined)[]> {
  const names = paths.map(nameOf);
  const request = { documents: names, mask: { fieldPaths: mask } };
  const found = await call('batchGet', '', request, (answer) => readBatch(answer, names));
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

/** Every document that was asked for, found or missing, in the order asked; undefined where one is neither. */
function readBatch(
  answer: unknown,
  names: readonly string[],
): (StoredDocument | undefined)[] | undefined {
  if (!Array.isArray(answer)) return undefined;
  const documents = new Map<string, StoredDocument | undefined>();
  for (const { found, missing } of answer as { found?: DocumentJson; missing?: string }[]) {
    if (found !== undefined) documents.set(found.name, storedDocument(found));
    if (missing !== undefined) documents.set(missing, undefined);
  }
  return names.every((name) => documents.has(name))
    ? names.map((name) => documents.get(name))
    : undefined;
}

/** Reads up to `limit` documents of a list, from the start or after a document of it. */
export async function find(
  query: Query,
  limit: number,
  after?: StoredDocument,
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

function readFound(answer: unknown): StoredDocument[] | undefined {
  // A list without a document has an element, too, with the time of the reading.
  if (!Array.isArray(answer) || answer.length === 0) return undefined;
  const elements = answer as { document?: DocumentJson; readTime?: string }[];
  if (elements.some(({ readTime }) => readTime === undefined)) return undefined;
  return elements.flatMap(({ document }) => (document ? [storedDocument(document)] : []));
}

/** Counts the documents of a list. Costs a read for each 1000, at least one. */
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

function readCount(answer: unknown): number | undefined {
  if (!Array.isArray(answer)) return undefined;
  const elements = answer as { result?: { aggregateFields?: { count?: Value } } }[];
  const counted = elements.map(({ result }) => result?.aggregateFields?.count?.integerValue);
  const total = counted.find((digits) => digits !== undefined);
  return total === undefined ? undefined : Number(total);
}

/** Whether a document is in a list. */
export function contains(query: Query, document: StoredDocument): boolean {
  return (
    Object.entries(query.where).every(
      ([path, value]) => fromValue(document.fields[path] ?? {}) === value,
    ) &&
    (query.orderBy === undefined || query.orderBy in document.fields)
  );
}

/** The fields that decide where in a list a document is. */
export function fieldsOfPosition({ where, orderBy }: Query): string[] {
  return [...Object.keys(where), ...(orderBy === undefined ? [] : [orderBy])];
}

function positionOf({ orderBy }: Query, document: StoredDocument): Value[] {
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

/** A change of one document, on condition that it still is of the version that was read. */
export type Write =
  | {
      readonly update: StoredDocument;
      /** The fields that replace those of the same name. */
      readonly fields: Fields;
      /** The names of all fields that are changed; one that `fields` lacks is removed. */
      readonly mask: readonly string[];
    }
  | { readonly delete: StoredDocument };

/** Commits changes, all or none. */
export async function commit(writes: readonly Write[]): Promise<CommitOutcome> {
  const outcome = await commitOnce(writes.map(writeJson));
  if (outcome === 'done') currentContext().usage.writes += writes.length;
  return outcome;
}

function writeJson(write: Write): object {
  if ('delete' in write) {
    const { path, updateTime } = write.delete;
    return { delete: nameOf(path), currentDocument: { updateTime } };
  }
  const { path, updateTime } = write.update;
  return {
    update: { name: nameOf(path), fields: write.fields },
    updateMask: { fieldPaths: write.mask },
    currentDocument: { updateTime },
  };
}

function storedDocument({ name, fields = {}, updateTime }: DocumentJson): StoredDocument {
  return { id: name.slice(name.lastIndexOf('/') + 1), path: pathOf(name), fields, updateTime };
}

function meterReads(reads: number): void {
  currentContext().usage.reads += reads;
}

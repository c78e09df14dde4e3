import { setImmediate } from 'node:timers/promises';
import { pageCacheSeconds } from '../parameters.ts';
import { boundedCache } from '../platform/boundedCache.ts';
import { HttpError } from '../errors.ts';
import {
  fromValue,
  toFields,
  type Found,
  type Position,
  type Query,
  type StoredDocument,
  type Value,
} from '@tattoo-marketplace/firestore-rest';
import { count, find, getDocument } from './database.ts';

/** A list with an order of its own, which has pages. */
export interface OrderedQuery extends Query {
  readonly orderBy: string;
}

/** Where a page starts, and how many elements it may have. */
export interface PageRequest {
  readonly limit: number;
  /** The id of the last element of the previous page. */
  readonly cursor?: string | undefined;
}

/** One page of a list. */
export interface Page {
  readonly documents: readonly StoredDocument[];
  readonly hasMore: boolean;
  /** Present exactly when `hasMore` is true. */
  readonly nextCursor?: string;
}

/** A page with the number of elements of the whole list. */
export interface CountedPage extends Page {
  readonly total: number;
}

/**
 * Reads one page and counts the list in parallel. A count that is recent enough for a cached page serves all pages of the
 * list. A first page that is counted anew needs no look-ahead element to know whether there are more. Throws
 * `cursor-not-found` if the cursor is not in the list.
 */
export async function readCountedPage(
  query: OrderedQuery,
  page: PageRequest,
): Promise<CountedPage> {
  const { limit, cursor } = page;
  const known = recentCount(query);
  if (cursor === undefined && known === undefined) {
    const [{ documents }, counted] = await Promise.all([find(query, limit), freshCount(query)]);
    // Elements may have been added or removed between the two calls.
    const isFull = documents.length === limit;
    const total = isFull ? Math.max(counted, limit) : documents.length;
    return { documents, total, ...endOf(query, documents, total > documents.length) };
  }
  const after = cursor === undefined ? undefined : await positionOf(query, cursor);
  const [read, counted] = await Promise.all([
    readPage(query, limit, after),
    known ?? freshCount(query),
  ]);
  const { documents, hasMore } = read;
  return { ...read, total: Math.max(counted, documents.length + Number(hasMore)) };
}

async function positionOf(query: OrderedQuery, cursor: string): Promise<Position> {
  const path = `${query.collection}/${cursor}`;
  return (
    rememberedPosition(query, cursor) ??
    requireElement(query, await getDocument(path, [...Object.keys(query.where), query.orderBy]))
  );
}

/** Returns the document of a cursor. Throws `cursor-not-found` if it is not in the list. */
export function requireElement(
  query: OrderedQuery,
  document: StoredDocument | undefined,
): Position {
  if (document !== undefined && contains(query, document)) return document;
  throw new HttpError('cursor-not-found', 'cursor is not an element of this list.');
}

function contains({ where, orderBy }: OrderedQuery, { fields }: Position): boolean {
  return (
    orderBy in fields &&
    Object.entries(where).every(([path, value]) => fromValue(fields[path]) === value)
  );
}

/** Reads the first page, or the page after a position, and one look-ahead element. */
export async function readPage(
  query: OrderedQuery,
  limit: number,
  after: Position | undefined,
): Promise<Page> {
  const found = await find(query, limit + 1, after);
  const documents = found.documents.slice(0, limit);
  return { documents, ...endOf(query, documents, found.documents.length > limit) };
}

/** Reads a whole list in parts of up to `size` documents, so that it is never in memory all at once. */
export async function* readInParts(
  query: Query,
  size: number,
): AsyncGenerator<readonly StoredDocument[]> {
  let next: Promise<Found> | undefined = find(query, size);
  while (next !== undefined) {
    const found: Found = await next;
    const part = found.documents;
    const last = part.length === size ? part.at(-1) : undefined;
    // The next part loads while the caller processes this one.
    next = last && find(query, size, last);
    // A failure is thrown when the part is awaited; until then it must not count as unhandled.
    next?.catch(() => undefined);
    // Its request leaves first, and other requests get their turn.
    await setImmediate();
    yield part;
  }
}

/** How a page ends. A cursor that is given out is remembered. */
function endOf(
  query: OrderedQuery,
  documents: readonly StoredDocument[],
  hasMore: boolean,
): Omit<Page, 'documents'> {
  const end = hasMore ? documents.at(-1) : undefined;
  if (end === undefined) return { hasMore: false };
  const value = end.fields[query.orderBy];
  if (value !== undefined) cursors.set(cursorKey(query, end.id), value);
  return { hasMore: true, nextCursor: end.id };
}

/** What a cursor counts at least, and all of them at most, in bytes: that is 100 000 cursors. */
const MIN_CURSOR_BYTES = 320;
const CURSORS_BYTES = 100_000 * MIN_CURSOR_BYTES;

/**
 * The values that order the documents of the cursors that this process has given out. The next page then needs no read
 * for its cursor, and does not fail if that document has been deleted or hidden meanwhile.
 */
const cursors = boundedCache<Value>(CURSORS_BYTES, ({ stringValue = '' }, key) =>
  Math.max(MIN_CURSOR_BYTES, 2 * (key.length + stringValue.length) + ENTRY_BYTES),
);

/** Where a cursor stands that this process has given out. */
export function rememberedPosition(query: OrderedQuery, cursor: string): Position | undefined {
  const value = cursors.get(cursorKey(query, cursor));
  if (value === undefined) return undefined;
  const { collection, where, orderBy } = query;
  return { path: `${collection}/${cursor}`, fields: { ...toFields(where), [orderBy]: value } };
}

function cursorKey(query: OrderedQuery, cursor: string): string {
  return `${keyOf(query)}${cursor}`;
}

interface Count {
  readonly total: number;
  /** When the count started, in ms of the monotonic clock. */
  readonly readAt: number;
}

/** The size of the cache of counts, in bytes, and what an entry takes besides its texts. */
const COUNTS_BYTES = 4 * 1024 * 1024;
const ENTRY_BYTES = 256;

const counts = boundedCache<Count>(COUNTS_BYTES, (_count, key) => 2 * key.length + ENTRY_BYTES);

async function freshCount(query: OrderedQuery): Promise<number> {
  const readAt = performance.now();
  const total = await count(query);
  counts.set(keyOf(query), { total, readAt });
  return total;
}

/** The number of elements, if it was counted recently enough. */
function recentCount(query: OrderedQuery): number | undefined {
  const recent = counts.get(keyOf(query));
  const isRecent =
    recent !== undefined && performance.now() - recent.readAt < pageCacheSeconds.value() * 1000;
  return isRecent ? recent.total : undefined;
}

/** A key that is unique to the list. */
function keyOf({ collection, where, orderBy, descending }: OrderedQuery): string {
  return JSON.stringify([collection, where, orderBy, descending]);
}

import { HttpsError } from 'firebase-functions/https';
import { LRUCache } from 'lru-cache';
import { pageCacheSeconds } from '../parameters.ts';
import { currentContext } from '../requestContext.ts';
import {
  contains,
  count,
  fieldsOfPosition,
  find,
  getDocument,
  type Query,
  type StoredDocument,
} from './documents.ts';

/** Where a page starts, and how long it may be. */
export interface PageRequest {
  readonly limit: number;
  /** The id of the last element of the page before. */
  readonly cursor?: string | undefined;
}

/** One page of a list. */
export interface Page {
  readonly documents: readonly StoredDocument[];
  readonly hasMore: boolean;
  /** There exactly when `hasMore` is true. */
  readonly nextCursor?: string;
}

/** One page of a list, with the number of all its elements. */
export interface CountedPage extends Page {
  readonly total: number;
}

/**
 * Reads one page, and counts the list at the same time. The first page costs its elements and the count, which says
 * whether there are more; a later one its elements, one look-ahead, the cursor and the count, in two round trips. A count
 * is used again as long as a public page may be cached. A cursor that names no element of the list is `invalid-argument`.
 */
export async function readCountedPage(
  query: Query,
  { limit, cursor }: PageRequest,
): Promise<CountedPage> {
  if (cursor !== undefined) {
    const path = `${query.collection}/${cursor}`;
    const last = requireElement(query, await getDocument(path, fieldsOfPosition(query)));
    const [page, total] = await Promise.all([readAfter(query, limit, last), recentCount(query)]);
    return { ...page, total };
  }
  const [documents, total] = await Promise.all([find(query, limit), freshCount(query)]);
  const hasMore = total > documents.length;
  return {
    documents,
    // An element that was added between the two calls is in the page, and not in the count.
    total: Math.max(total, documents.length),
    ...position(documents, hasMore),
  };
}

/**
 * Reads the page after a document that was read as the cursor, or the first page. Costs its elements and one look-ahead.
 * A document that is no element of the list is `invalid-argument`.
 */
export async function readPage(
  query: Query,
  { limit, cursor }: PageRequest,
  last: StoredDocument | undefined,
): Promise<Page> {
  return readAfter(query, limit, cursor === undefined ? undefined : requireElement(query, last));
}

/** Reads a whole list, in parts of up to `size`, so that it need not be held as a whole. */
export async function* readInParts(
  query: Query,
  size: number,
): AsyncGenerator<readonly StoredDocument[]> {
  let next: Promise<StoredDocument[]> | undefined = find(query, size);
  while (next !== undefined) {
    const part: StoredDocument[] = await next;
    const last = part.length === size ? part.at(-1) : undefined;
    // The next part is on its way while this one is worked on.
    next = last && find(query, size, last);
    // A failure is met when the part is awaited, not before.
    next?.catch(() => undefined);
    yield part;
  }
}

function requireElement(query: Query, document: StoredDocument | undefined): StoredDocument {
  if (document !== undefined && contains(query, document)) return document;
  throw new HttpsError('invalid-argument', 'cursor names no element of this list.');
}

async function readAfter(
  query: Query,
  limit: number,
  last: StoredDocument | undefined,
): Promise<Page> {
  const found = await find(query, limit + 1, last);
  const documents = found.slice(0, limit);
  return { documents, ...position(documents, found.length > limit) };
}

function position(documents: readonly StoredDocument[], hasMore: boolean): Omit<Page, 'documents'> {
  const end = hasMore ? documents.at(-1) : undefined;
  return { hasMore: end !== undefined, ...(end && { nextCursor: end.id }) };
}

interface Count {
  readonly total: number;
  /** When its reading began, in ms since the epoch. */
  readonly readAt: number;
}

const counts = new LRUCache<string, Count>({ max: 10_000 });

async function freshCount(query: Query): Promise<number> {
  const readAt = Date.now();
  const total = await count(query);
  counts.set(nameOf(query), { total, readAt });
  return total;
}

/** The number of elements, counted now or so recently that a response may still be made of it. */
async function recentCount(query: Query): Promise<number> {
  const recent = counts.get(nameOf(query));
  if (recent === undefined || Date.now() - recent.readAt >= pageCacheSeconds.value() * 1000) {
    return freshCount(query);
  }
  const { usage } = currentContext();
  usage.readAt = Math.min(usage.readAt, recent.readAt);
  return recent.total;
}

/** What no other list is called. */
function nameOf({ collection, where }: Query): string {
  return JSON.stringify([collection, where]);
}

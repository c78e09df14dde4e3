import { HttpsError } from 'firebase-functions/https';
import { boundedCache } from '../boundedCache.ts';
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
 * Reads one page and counts the list in parallel. The first page reads its elements and the count, which also says
 * whether there are more. A later page reads its elements, one look-ahead, the cursor and the count, in two round
 * trips. Later pages reuse a count for as long as a public page may be cached. Throws `invalid-argument` if the cursor
 * is not in the list.
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
    // An element that was added between the two calls is in the page but not in the count.
    total: Math.max(total, documents.length),
    ...position(documents, hasMore),
  };
}

/**
 * Reads the first page, or the page after `last`, the document that the cursor names. Reads one look-ahead. Throws
 * `invalid-argument` if the cursor is not in the list.
 */
export async function readPage(
  query: Query,
  { limit, cursor }: PageRequest,
  last: StoredDocument | undefined,
): Promise<Page> {
  return readAfter(query, limit, cursor === undefined ? undefined : requireElement(query, last));
}

/** Reads a whole list in parts of up to `size` documents, so that it is never in memory all at once. */
export async function* readInParts(
  query: Query,
  size: number,
): AsyncGenerator<readonly StoredDocument[]> {
  let next: Promise<StoredDocument[]> | undefined = find(query, size);
  while (next !== undefined) {
    const part: StoredDocument[] = await next;
    const last = part.length === size ? part.at(-1) : undefined;
    // The next part loads while the caller processes this one.
    next = last && find(query, size, last);
    // A failure is thrown when the part is awaited; until then it must not count as unhandled.
    next?.catch(() => undefined);
    yield part;
  }
}

function requireElement(query: Query, document: StoredDocument | undefined): StoredDocument {
  if (document !== undefined && contains(query, document)) return document;
  throw new HttpsError('invalid-argument', 'cursor is not an element of this list.');
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
  /** When the count started, in ms since the epoch. */
  readonly readAt: number;
}

const counts = boundedCache<Count>(10_000);

async function freshCount(query: Query): Promise<number> {
  const readAt = Date.now();
  const total = await count(query);
  counts.set(keyOf(query), { total, readAt });
  return total;
}

/** The number of elements, from the cache if it is recent enough. */
async function recentCount(query: Query): Promise<number> {
  const recent = counts.get(keyOf(query));
  if (recent === undefined || Date.now() - recent.readAt >= pageCacheSeconds.value() * 1000) {
    return freshCount(query);
  }
  const { usage } = currentContext();
  usage.readAt = Math.min(usage.readAt, recent.readAt);
  return recent.total;
}

/** A key that is unique to the list. */
function keyOf({ collection, where }: Query): string {
  return JSON.stringify([collection, where]);
}

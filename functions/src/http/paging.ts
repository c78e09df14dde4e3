import type { CollectionReference, DocumentSnapshot, Query } from 'firebase-admin/firestore';
import { HttpsError } from 'firebase-functions/https';
import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { documentId } from '../documentId.ts';
import { publicCacheSeconds } from '../parameters.ts';
import { recordCount, recordDataOf, recordQuery, recordReads } from './requestRecord.ts';

/** The query parameters of a list that is read in pages. */
export function pageParameters(sizes: { max: number; fallback: number }) {
  const expected = `must be an integer from 1 to ${sizes.max}`;
  return z.object({
    limit: z
      .string(expected)
      // Decimal digits only: a coercion would take "" for 0, and 0 is Firestore's "no limit".
      .refine((text) => /^\d{1,9}$/.test(text), expected)
      .transform(Number)
      .refine((limit) => limit >= 1 && limit <= sizes.max, expected)
      .default(sizes.fallback)
      .describe(`How many elements to return: 1 to ${sizes.max}, ${sizes.fallback} when left out.`)
      .meta({
        override: {
          type: 'integer',
          minimum: 1,
          maximum: sizes.max,
          default: sizes.fallback,
        },
      }),
    cursor: documentId
      .optional()
      .describe('The `nextCursor` of the page before: the id of its last element.'),
  });
}

/** Where a page starts and how long it may be. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A list in Firestore that can be read in pages. */
export interface PagedList {
  readonly collection: CollectionReference;
  /** Every element of the list in its order, the document id last. */
  readonly query: Query;
  /** Whether a stored document is an element of the list. */
  readonly contains: (document: DocumentSnapshot) => boolean;
}

/** The fields of a response that say how to go on. */
export const pageFields = {
  hasMore: z.boolean().describe('Whether there are elements after these.'),
  nextCursor: z
    .string()
    .optional()
    .describe('The `cursor` of the next request; there exactly when `hasMore` is true.'),
};

/** One page of a list. */
export interface Page {
  readonly documents: readonly DocumentSnapshot[];
  readonly hasMore: boolean;
  readonly nextCursor?: string;
}

/** One page of a list, with the number of all its elements. */
export interface CountedPage extends Page {
  readonly total: number;
}

/** A list that is counted, too. */
export interface CountedList extends PagedList {
  /** What no other list is called. */
  readonly name: string;
}

/**
 * Reads one page, and counts the list beside it. The first costs its elements and the count, which says whether there
 * are more; a later one its elements, one look-ahead, the cursor and the count, in two round trips. The count is not
 * made again while one of the same list is younger than a public answer may be. A cursor that names no element of the
 * list is `invalid-argument`.
 */
export async function readCountedPage(
  list: CountedList,
  { limit, cursor }: PageRequest,
): Promise<CountedPage> {
  if (cursor !== undefined) {
    const last = requireElement(list, await readDocument(list, cursor));
    const [page, total] = await Promise.all([pageAfter(list, limit, last), keptTotal(list)]);
    return { ...page, total };
  }
  const [found, total] = await Promise.all([find(list.query.limit(limit)), count(list)]);
  const end = total > found.length ? found.at(-1) : undefined;
  return {
    documents: found,
    // An element that came in between the two is in the page, and not in the count.
    total: Math.max(total, found.length),
    hasMore: end !== undefined,
    ...(end && { nextCursor: end.id }),
  };
}

/**
 * Reads the page after `last`, or the first. Costs the elements and one look-ahead. A `last` that is no element of
 * the list is `invalid-argument`.
 */
export async function readPage(
  list: PagedList,
  limit: number,
  last: DocumentSnapshot | undefined,
): Promise<Page> {
  return pageAfter(list, limit, last && requireElement(list, last));
}

function requireElement(list: PagedList, document: DocumentSnapshot): DocumentSnapshot {
  if (document.exists && list.contains(document)) return document;
  throw new HttpsError('invalid-argument', 'cursor names no element of this list.');
}

async function pageAfter(
  list: PagedList,
  limit: number,
  last: DocumentSnapshot | undefined,
): Promise<Page> {
  const rest = last === undefined ? list.query : list.query.startAfter(last);
  const found = await find(rest.limit(limit + 1));
  const documents = found.slice(0, limit);
  const end = found.length > limit ? documents.at(-1) : undefined;
  return { documents, hasMore: end !== undefined, ...(end && { nextCursor: end.id }) };
}

interface Total {
  readonly total: number;
  /** When it was counted, in ms since the epoch. */
  readonly readAt: number;
}

const totals = new LRUCache<string, Total>({ max: 10_000 });

async function count(list: CountedList): Promise<number> {
  const readAt = Date.now();
  const total = (await list.query.count().get()).data().count;
  recordCount(total);
  totals.set(list.name, { total, readAt });
  return total;
}

/** The number of elements, counted now or not longer ago than the cache parameter lets an answer be old. */
async function keptTotal(list: CountedList): Promise<number> {
  const kept = totals.get(list.name);
  if (kept === undefined || Date.now() - kept.readAt >= publicCacheSeconds.value() * 1000) {
    return count(list);
  }
  recordDataOf(kept.readAt);
  return kept.total;
}

async function readDocument(list: PagedList, id: string): Promise<DocumentSnapshot> {
  recordReads(1);
  return list.collection.doc(id).get();
}

async function find(query: Query): Promise<readonly DocumentSnapshot[]> {
  const found = await query.get();
  recordQuery(found.size);
  return found.docs;
}

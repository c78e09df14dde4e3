import type { CollectionReference, DocumentSnapshot, Query } from 'firebase-admin/firestore';
import { HttpsError } from 'firebase-functions/https';
import { z } from 'zod';
import { documentId } from '../documentId.ts';

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

/**
 * Reads one page, and counts the list beside it. Costs the elements, one look-ahead, the cursor and the
 * count, in at most two round trips. A cursor that names no element of the list is `invalid-argument`.
 */
export async function readCountedPage(list: PagedList, page: PageRequest): Promise<CountedPage> {
  const last = page.cursor === undefined ? undefined : await list.collection.doc(page.cursor).get();
  const [read, count] = await Promise.all([
    readPage(list, page.limit, last),
    list.query.count().get(),
  ]);
  return { ...read, total: count.data().count };
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
  if (last !== undefined && !(last.exists && list.contains(last))) {
    throw new HttpsError('invalid-argument', 'cursor names no element of this list.');
  }
  const rest = last === undefined ? list.query : list.query.startAfter(last);
  const found = await rest.limit(limit + 1).get();
  const documents = found.docs.slice(0, limit);
  const end = found.size > limit ? documents.at(-1) : undefined;
  return { documents, hasMore: end !== undefined, ...(end && { nextCursor: end.id }) };
}

/** Reads documents of a list, with limits on the size of a response. */
import pLimit from 'p-limit';
import type { Position, Query, QueryResult } from '@tattoo-marketplace/firestore-rest';
import { find, isResponseTooLarge, MAX_FIRESTORE_RESPONSE_BYTES } from './database.ts';

/** Documents of a response that is not too large. Fewer than `requestedSize` documents are the end of the list. */
export interface FittingDocuments extends QueryResult {
  readonly requestedSize: number;
}

/**
 * Reads up to `count` documents. While the response exceeds `maxBytes`, reads again with a quarter
 * as many, down to two. Returns undefined if even two are too large, or if `count` is 1: then
 * `findSingle` reads one document of any size.
 */
export async function findFitting(
  query: Query,
  count: number,
  after: Position | undefined,
  maxBytes: number,
): Promise<FittingDocuments | undefined> {
  let requestedSize = count;
  while (requestedSize > 1) {
    try {
      return { ...(await find(query, requestedSize, after, maxBytes)), requestedSize };
    } catch (error) {
      if (!isResponseTooLarge(error)) throw error;
    }
    if (requestedSize === 2) return undefined;
    requestedSize = Math.max(2, Math.ceil(requestedSize / 4));
  }
  return undefined;
}

/** Reads two documents at a time in an instance: a response takes up to 8 times its size in memory. */
const singleReadQueue = pLimit(2);

/** Reads one document of up to `MAX_FIRESTORE_RESPONSE_BYTES`. Sends nothing if the request ends while it waits for its turn. */
export async function findSingle(query: Query, after: Position | undefined): Promise<QueryResult> {
  try {
    return await singleReadQueue(() => find(query, 1, after));
  } catch (cause) {
    if (!isResponseTooLarge(cause)) throw cause;
    const list = JSON.stringify({ ...query, select: undefined });
    const position = after?.path ?? 'its start';
    throw new Error(
      `A document is larger than ${MAX_FIRESTORE_RESPONSE_BYTES} bytes: in ${list} after ${position}.`,
      { cause },
    );
  }
}

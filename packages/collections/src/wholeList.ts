/** Lists that are read completely, in several parts. */
import { setImmediate } from 'node:timers/promises';
import type {
  QueryResult,
  Position,
  Query,
  StoredDocument,
} from '@tattoo-marketplace/firestore-rest';
import type { List } from './collection.ts';
import { find, isTooLarge } from './database.ts';
import { findOne, quarterOf, queryOf } from './listQuery.ts';

/** The size of a part to aim at, in bytes, and in documents: more would stop the event loop for longer. */
const PART_BYTES = 4 * 1024 * 1024;
const MAX_PART = 1500;
/** The most bytes of a part; what is larger is read again in smaller parts. */
const MAX_PART_BYTES = 6 * 1024 * 1024;
/** The documents of the first part, whose size is unknown. */
const FIRST_PART = 100;

/** Reads a whole list in parts, so that it is never in memory all at once. */
export function readInParts<Element>(list: List<Element, never>): AsyncGenerator<Element[]> {
  return list.reader.readParts(partsOf(queryOf(list, {})));
}

/**
 * Fetches the list in batches. The size of each batch is estimated from the average document size
 * of the previous one.
 */
async function* partsOf(query: Query): AsyncGenerator<readonly StoredDocument[]> {
  let next: Promise<Part> | undefined = findPart(query, FIRST_PART);
  while (next !== undefined) {
    const { documents, bytes, asked }: Part = await next;
    const last: StoredDocument | undefined =
      documents.length === asked ? documents.at(-1) : undefined;
    const fitting = Math.floor((PART_BYTES * documents.length) / bytes);
    // The next part loads while the caller processes this one.
    next = last && findPart(query, Math.min(MAX_PART, Math.max(1, fitting)), last);
    // The error is thrown when the batch is awaited. Until then it must not be reported as an
    // unhandled rejection.
    next?.catch(() => undefined);
    // Yields to the event loop, so that the request for the next batch is sent and other requests
    // can run.
    await setImmediate();
    yield documents;
  }
}

/** A part of a list. It ends the list if it has fewer documents than were asked for. */
interface Part extends QueryResult {
  readonly asked: number;
}

/** Reads up to `asked` documents, or a quarter of them if they are too large. */
async function findPart(query: Query, asked: number, after?: Position): Promise<Part> {
  if (asked === 1) return { ...(await findOne(query, after)), asked };
  try {
    return { ...(await find(query, asked, after, MAX_PART_BYTES)), asked };
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    return findPart(query, quarterOf(asked), after);
  }
}

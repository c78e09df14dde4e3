/** Lists that are read completely, in several parts. */
import { setImmediate } from 'node:timers/promises';
import type {
  QueryResult,
  Position,
  Query,
  StoredDocument,
} from '@tattoo-marketplace/firestore-rest';
import type { ListDefinition } from './defineCollection.ts';
import { find, isResponseTooLarge } from './database.ts';
import { findOneOfAnySize, quarter, buildQuery } from './listQuery.ts';

/** The size of a part to aim at, in bytes, and in documents: more would stop the event loop for longer. */
const TARGET_BATCH_BYTES = 4 * 1024 * 1024;
const MAX_BATCH_SIZE = 1500;
/** The most bytes of a part; what is larger is read again in smaller parts. */
const MAX_BATCH_BYTES = 6 * 1024 * 1024;
/** The documents of the first part, whose size is unknown. */
const FIRST_BATCH_SIZE = 100;

/** Reads a whole list in parts, so that it is never in memory all at once. */
export function readInBatches<Element>(
  list: ListDefinition<Element, never>,
): AsyncGenerator<Element[]> {
  return list.decoder.decodeBatches(fetchBatches(buildQuery(list, {})));
}

/**
 * Fetches the list in batches. The size of each batch is estimated from the average document size
 * of the previous one.
 */
async function* fetchBatches(query: Query): AsyncGenerator<readonly StoredDocument[]> {
  let next: Promise<Batch> | undefined = fetchBatch(query, FIRST_BATCH_SIZE);
  while (next !== undefined) {
    const { documents, bytes, requestedSize }: Batch = await next;
    const last: StoredDocument | undefined =
      documents.length === requestedSize ? documents.at(-1) : undefined;
    const nextSize = Math.floor((TARGET_BATCH_BYTES * documents.length) / bytes);
    // The next part loads while the caller processes this one.
    next = last && fetchBatch(query, Math.min(MAX_BATCH_SIZE, Math.max(1, nextSize)), last);
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
interface Batch extends QueryResult {
  readonly requestedSize: number;
}

/** Reads up to `asked` documents, or a quarter of them if they are too large. */
async function fetchBatch(query: Query, asked: number, after?: Position): Promise<Batch> {
  if (asked === 1) return { ...(await findOneOfAnySize(query, after)), requestedSize: asked };
  try {
    return { ...(await find(query, asked, after, MAX_BATCH_BYTES)), requestedSize: asked };
  } catch (error) {
    if (!isResponseTooLarge(error)) throw error;
    return fetchBatch(query, quarter(asked), after);
  }
}

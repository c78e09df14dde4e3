/** Reads entire lists, batch by batch. */
import { setImmediate } from 'node:timers/promises';
import type { Position, Query, StoredDocument } from '@tattoo-marketplace/firestore-rest';
import type { DocumentList } from './defineCollection.ts';
import { findFitting, findSingle, type FittingDocuments } from './findFitting.ts';
import { buildQuery, type Params } from './listQuery.ts';

/** Target size of a batch, in bytes, and its maximum number of documents. Larger batches would block the event loop. */
const TARGET_BATCH_BYTES = 4 * 1024 * 1024;
const MAX_BATCH_SIZE = 1500;
/** Maximum size of a batch, in bytes. A larger batch is read again with fewer documents. */
const MAX_BATCH_BYTES = 6 * 1024 * 1024;
/** The number of documents in the first batch, when their size is unknown. */
const FIRST_BATCH_SIZE = 100;

/** Reads an entire list in batches, so that at most two batches are in memory. */
export function readInBatches<Item>(
  list: DocumentList<Item>,
  params: Params = {},
): AsyncGenerator<Item[]> {
  return list.decoder.decodeBatches(fetchBatches(buildQuery(list, params)));
}

/**
 * Fetches the list in batches. The size of each batch is estimated from the average document size
 * of the previous one.
 */
async function* fetchBatches(query: Query): AsyncGenerator<readonly StoredDocument[]> {
  let next: Promise<FittingDocuments> | undefined = fetchBatch(query, FIRST_BATCH_SIZE);
  while (next !== undefined) {
    const batch: FittingDocuments = await next;
    // The next batch loads while the caller processes this one.
    next = fetchNextBatch(query, batch);
    // The error is thrown when the batch is awaited. Until then it must not be reported as an
    // unhandled rejection.
    next?.catch(() => undefined);
    // Yields to the event loop, so that the request for the next batch is sent and other requests
    // can run.
    await setImmediate();
    yield batch.documents;
  }
}

/** Starts to fetch the batch after this one; undefined if the list ends with this one. */
function fetchNextBatch(
  query: Query,
  { documents, bytes, requestedSize }: FittingDocuments,
): Promise<FittingDocuments> | undefined {
  const lastDocument = documents.at(-1);
  if (lastDocument === undefined || documents.length < requestedSize) return undefined;
  const targetSize = Math.floor((TARGET_BATCH_BYTES * documents.length) / bytes);
  return fetchBatch(query, Math.min(MAX_BATCH_SIZE, Math.max(1, targetSize)), lastDocument);
}

/** Reads up to `size` documents, or fewer if they are too large. */
async function fetchBatch(query: Query, size: number, after?: Position): Promise<FittingDocuments> {
  const batch = await findFitting(query, size, after, MAX_BATCH_BYTES);
  return batch ?? { ...(await findSingle(query, after)), requestedSize: 1 };
}

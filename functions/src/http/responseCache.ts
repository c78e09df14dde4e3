import { logger } from 'firebase-functions/logger';
import { LRUCache } from 'lru-cache';
import { currentContext } from '../platform/requestContext.ts';
import type { JsonBody } from './jsonBody.ts';
import { MAX_RESPONSE_BYTES } from './response.ts';

/** What the cache may take, in bytes. A larger response could not be sent either. */
const MAX_BYTES = MAX_RESPONSE_BYTES;
/** What an entry takes besides its content and key, in bytes. */
const ENTRY_BYTES = 1024;

/** A public response, and how to read it. */
export interface PublicSource {
  /** The endpoint, for the log. */
  readonly name: string;
  /** Tells the responses of the endpoint apart. */
  readonly input: unknown;
  readonly cacheMs: number;
  readonly read: () => Promise<JsonBody>;
}

/** A response that was read. */
export interface DatedBody {
  readonly body: JsonBody;
  /** When the read of its data started, in ms of the monotonic clock (`performance.now()`). */
  readonly readAt: number;
}

const cache = new LRUCache<string, DatedBody, PublicSource>({
  maxSize: MAX_BYTES,
  sizeCalculation: sizeOf,
  // The clock of `readAt`, read each time.
  perf: { now: () => performance.now() },
  ttlResolution: 0,
  // The entry of a read in progress may be evicted: those who wait for it get its result all the same.
  ignoreFetchAbort: true,
  fetchMethod: async (key, _stale, { context: source, options }) => {
    const found = await readForAll(source);
    if (sizeOf(found, key) > MAX_BYTES) {
      const bytes = { bytes: found.body.bytes.length, maxBytes: MAX_BYTES };
      logger.error(`${source.name} is too large to be cached: every request reads it.`, bytes);
    }
    // The lifetime begins with the read; otherwise it would begin now.
    Object.assign(options, { start: found.readAt });
    return found;
  },
});

/**
 * Returns a public response from the cache, or reads it once for all concurrent requests. The read has the deadline of the
 * request that starts it, and if it fails, so do all that wait for it; the next request reads anew.
 */
export async function cachedBody(source: PublicSource): Promise<DatedBody> {
  const { name, input, cacheMs } = source;
  // A lifetime of 0 would have no end.
  if (cacheMs === 0) return { readAt: performance.now(), body: await source.read() };
  return cache.forceFetch(`${name} ${JSON.stringify(input)}`, { ttl: cacheMs, context: source });
}

function sizeOf({ body }: DatedBody, key: string): number {
  return body.bytes.length + 2 * key.length + ENTRY_BYTES;
}

/** Reads a response. No single request is charged for it, so it has a log line of its own. */
async function readForAll({ name, read }: PublicSource): Promise<DatedBody> {
  return currentContext().runShared(async (usage) => {
    const readAt = performance.now();
    const body = await read();
    logger.info(`${name} was read`, {
      firestoreReads: usage.reads,
      ms: performance.now() - readAt,
    });
    return { body: { ...body, bytes: compact(body.bytes) }, readAt };
  });
}

/** The bytes without the larger buffer of Node or zlib that they may be a part of. */
function compact(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

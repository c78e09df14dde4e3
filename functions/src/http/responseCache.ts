import { HttpsError } from 'firebase-functions/https';
import { logger } from 'firebase-functions/logger';
import { unavailable } from '../errors.ts';
import { currentContext, RequestContext } from '../platform/requestContext.ts';
import { boundedCache } from '../platform/boundedCache.ts';
import { SharedWork } from '../platform/sharedWork.ts';
import { TimeLimitError, withinLimit } from '../platform/timeLimit.ts';
import { MAX_RESPONSE_BYTES, type JsonBody } from './response.ts';

/** What the cache may take, in bytes. A larger response could not be sent either. */
const MAX_BYTES = MAX_RESPONSE_BYTES;
/** What an entry takes besides its content and key, in bytes. */
const ENTRY_BYTES = 1024;
/** The share of its lifetime after which a response is due: the next request reads it again. */
const DUE_AFTER = 0.75;
/** How long the next request that finds a response due must wait after a failed read, in ms. Doubles each time. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** A public response, and how to read it. */
export interface PublicSource {
  readonly key: string;
  readonly cacheMs: number;
  /** How long one read may take. */
  readonly limitMs: number;
  readonly read: () => Promise<JsonBody>;
}

/** A cached response. */
interface CachedBody {
  readonly body: JsonBody;
  /** When the read of its data started, in ms of the monotonic clock. */
  readonly readAt: number;
}

const cached = boundedCache<CachedBody>(
  MAX_BYTES,
  ({ body }, key) => body.bytes.length + 2 * key.length + ENTRY_BYTES,
);
const reads = new SharedWork<CachedBody>();
/** Keys whose last read failed: how often in a row, and when a due response may be read again. */
const pauses = boundedCache<{ readonly failures: number; readonly endsAt: number }>(10_000);

/**
 * Returns a public response from the cache, or reads it once for all concurrent callers. A response expires `cacheMs`
 * after its read started. Before that, one request finds it due and reads it again; all others get the cached one. No
 * work is left for after the response: the platform takes the processor away then.
 */
export async function cachedBody(source: PublicSource): Promise<JsonBody> {
  const { key, cacheMs } = source;
  const arrivedAt = performance.now();
  const present = cached.get(key);
  if (present !== undefined && ageOf(present) < cacheMs) {
    const isDue = ageOf(present) >= cacheMs * DUE_AFTER;
    return withAge(isDue && mayRead(key) ? await refreshed(source, present) : present);
  }
  for (;;) {
    const found = await sharedRead(source);
    // The data may be too old by now if the read started before this request arrived.
    if (found.readAt >= arrivedAt || ageOf(found) < cacheMs) return withAge(found);
  }
}

function ageOf({ readAt }: CachedBody): number {
  return performance.now() - readAt;
}

/** The body, whose age is recorded in the request's usage. */
function withAge({ body, readAt }: CachedBody): JsonBody {
  const { usage } = currentContext();
  usage.readAt = Math.min(usage.readAt, readAt);
  return body;
}

/** Whether a request that finds the response due reads it: nobody else does, and no recent read has failed. */
function mayRead(key: string): boolean {
  return !reads.has(key) && performance.now() >= (pauses.get(key)?.endsAt ?? 0);
}

/** Reads a due response again. Returns the cached one if that fails, or takes until it expires or the deadline is near. */
async function refreshed(source: PublicSource, present: CachedBody): Promise<CachedBody> {
  const { key, cacheMs } = source;
  const limitMs = Math.min(cacheMs - ageOf(present), 0.9 * currentContext().msLeft);
  try {
    return await withinLimit(limitMs, sharedRead(source));
  } catch (error) {
    // Not the message: it may name a document.
    const code =
      isUnavailable(error) || error instanceof TimeLimitError ? 'unavailable' : 'internal';
    logger.warn('A cached response could not be refreshed.', { response: nameOf(key), code });
    return present;
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof HttpsError && error.code === 'unavailable';
}

/** Joins the read in progress or starts one, which has its own deadline, independent of the callers'. */
function sharedRead(source: PublicSource): Promise<CachedBody> {
  const { signal } = currentContext();
  return reads.join(source.key, () => {
    if (signal.aborted) throw unavailable(signal.reason);
    return readForAll(source);
  });
}

async function readForAll({ key, limitMs, read }: PublicSource): Promise<CachedBody> {
  try {
    const context = new RequestContext();
    const body = await context.run(limitMs, read);
    const { reads, readAt } = context.usage;
    const complete = { body: { ...body, bytes: compact(body.bytes) }, readAt };
    cached.set(key, complete);
    pauses.delete(key);
    // No single request is charged for a read that many share.
    const ms = performance.now() - readAt;
    logger.info(`${nameOf(key)} was read`, { firestoreReads: reads, ms });
    if (!cached.has(key)) {
      const bytes = { bytes: body.bytes.length, maxBytes: MAX_BYTES };
      logger.error(`${nameOf(key)} is too large to be cached: every request reads it.`, bytes);
    }
    return complete;
  } catch (error) {
    const failures = (pauses.get(key)?.failures ?? 0) + 1;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
    pauses.set(key, { failures, endsAt: performance.now() + pauseMs });
    throw error;
  }
}

/** The bytes without the larger buffer of Node or zlib that they may be a part of. */
function compact(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** The endpoint of a key: the rest of it has ids. */
function nameOf(key: string): string {
  return key.slice(0, key.indexOf('?'));
}

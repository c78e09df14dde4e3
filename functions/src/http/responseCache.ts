import { HttpsError } from 'firebase-functions/https';
import { logger } from 'firebase-functions/logger';
import { LRUCache } from 'lru-cache';
import { deadlineSeconds } from '../parameters.ts';
import { unavailable } from '../platform/errors.ts';
import { currentContext, RequestContext } from '../platform/requestContext.ts';
import { boundedCache } from '../platform/boundedCache.ts';
import { TimeLimitError, withinLimit } from '../platform/timeLimit.ts';
import { entityTag, withGzip, type JsonBody } from './response.ts';

/** The size of the cache in bytes: twice the platform's limit for one response (32 MiB). */
const MAX_BYTES = 64 * 1024 * 1024;
/**
 * What an entry takes besides its content, in bytes: mostly the rest of the pool that a small buffer is a part of
 * (https://nodejs.org/api/buffer.html#class-property-bufferpoolsize). It bounds the number of entries.
 */
const ENTRY_BYTES = 8 * 1024;
/** The share of its lifetime after which a response is due: the next request reads it again. */
const DUE_AFTER = 0.75;
/** How long the next request that finds a response due must wait after a failed read, in ms. Doubles each time. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** A cached response. */
export interface CachedBody extends JsonBody {
  readonly tag: string;
  /** When the read of its data started, in ms of the monotonic clock. */
  readonly readAt: number;
}

const cached = new LRUCache<string, CachedBody>({
  maxSize: MAX_BYTES,
  sizeCalculation: ({ identity, gzip }, key) =>
    identity.length + (gzip?.length ?? 0) + 2 * key.length + ENTRY_BYTES,
});
/** Reads in progress, by key. */
const pending = new Map<string, Promise<CachedBody>>();
/** Keys whose last read failed: how often in a row, and when a due response may be read again. */
const pauses = boundedCache<{ readonly failures: number; readonly endsAt: number }>(10_000);

/**
 * Returns a public response from the cache, or reads it once for all concurrent callers. A response expires `cacheMs`
 * after its read started. Before that, one request finds it due and reads it again; all others get the cached one. No
 * work is left for after the response: the platform takes the processor away then.
 */
export async function cachedBody(
  key: string,
  cacheMs: number,
  read: () => Promise<JsonBody>,
): Promise<CachedBody> {
  const arrivedAt = performance.now();
  const present = cached.get(key);
  if (present !== undefined && ageOf(present) < cacheMs) {
    const isDue = ageOf(present) >= cacheMs * DUE_AFTER;
    return recordAge(
      isDue && mayRead(key) ? await refreshed(key, present, cacheMs, read) : present,
    );
  }
  for (;;) {
    const isJoining = pending.has(key);
    try {
      const body = await sharedRead(key, read);
      // The data may be too old by now if the read started before this request arrived.
      if (body.readAt >= arrivedAt || ageOf(body) < cacheMs) return recordAge(body);
    } catch (error) {
      // A read that started earlier has an earlier deadline.
      if (!isJoining || !isUnavailable(error)) throw error;
    }
    const { signal } = currentContext();
    if (signal.aborted) throw unavailable(signal.reason);
  }
}

function ageOf({ readAt }: CachedBody): number {
  return performance.now() - readAt;
}

/** Records the age of the data in the request's usage. */
function recordAge(body: CachedBody): CachedBody {
  const { usage } = currentContext();
  usage.readAt = Math.min(usage.readAt, body.readAt);
  return body;
}

/** Whether a request that finds the response due reads it: nobody else does, and no recent read has failed. */
function mayRead(key: string): boolean {
  return !pending.has(key) && performance.now() >= (pauses.get(key)?.endsAt ?? 0);
}

/** Reads a due response again. Returns the cached one if that fails, or takes until it expires or the deadline is near. */
async function refreshed(
  key: string,
  present: CachedBody,
  cacheMs: number,
  read: () => Promise<JsonBody>,
): Promise<CachedBody> {
  const limitMs = Math.min(cacheMs - ageOf(present), 0.9 * currentContext().msLeft);
  try {
    return await withinLimit(limitMs, sharedRead(key, read));
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

/** Joins the read in progress or starts one. The read has its own deadline, independent of the callers'. */
function sharedRead(key: string, read: () => Promise<JsonBody>): Promise<CachedBody> {
  const current = pending.get(key);
  if (current !== undefined) return current;
  const started = readForAll(key, read).finally(() => {
    pending.delete(key);
  });
  pending.set(key, started);
  return started;
}

async function readForAll(key: string, read: () => Promise<JsonBody>): Promise<CachedBody> {
  const context = new RequestContext();
  try {
    const body = await context.run(deadlineSeconds.value() * 1000, async () =>
      withGzip(await read()),
    );
    const complete = { ...body, tag: entityTag(body), readAt: context.usage.readAt };
    cached.set(key, complete);
    pauses.delete(key);
    logRead(key, context);
    return complete;
  } catch (error) {
    const failures = (pauses.get(key)?.failures ?? 0) + 1;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
    pauses.set(key, { failures, endsAt: performance.now() + pauseMs });
    throw error;
  }
}

/** Logs the cost of a read that many requests share, so that no single request is charged for it. */
function logRead(key: string, { usage: { reads, readAt } }: RequestContext): void {
  logger.info(`${nameOf(key)} was read`, { firestoreReads: reads, ms: performance.now() - readAt });
}

/** The endpoint of a key: the rest of it has ids. */
function nameOf(key: string): string {
  return key.slice(0, key.indexOf('?'));
}

import { logger } from 'firebase-functions/logger';
import { LRUCache } from 'lru-cache';
import { currentContext, inContext, newUsage, type Usage } from '../requestContext.ts';
import { withinDeadline } from './deadline.ts';
import { entityTag, withGzip, type JsonBody } from './response.ts';

/** The size of the cache in bytes: twice the platform's limit for one response (32 MiB). */
const MAX_BYTES = 64 * 1024 * 1024;
/** The share of its lifetime after which a response is refreshed in the background. */
const REFRESH_AFTER = 0.75;

/** A cached response. */
export interface CachedBody extends JsonBody {
  readonly tag: string;
  /** When the read of its data started, in ms since the epoch. */
  readonly readAt: number;
}

const cached = new LRUCache<string, CachedBody>({
  maxSize: MAX_BYTES,
  sizeCalculation: ({ identity, gzip }, key) => identity.length + (gzip?.length ?? 0) + key.length,
});
/** Reads in progress, by key. */
const pending = new Map<string, Promise<CachedBody>>();

/**
 * Returns a public response from the cache, or reads it once for all concurrent callers. A response expires `cacheMs`
 * after its read started. It is refreshed in the background before that, so that callers rarely wait.
 */
export async function cachedBody(
  key: string,
  cacheMs: number,
  read: () => Promise<JsonBody>,
): Promise<CachedBody> {
  const arrivedAt = Date.now();
  const present = cached.get(key);
  if (present !== undefined && isFresh(present, cacheMs)) {
    if (!isFresh(present, cacheMs * REFRESH_AFTER)) refresh(key, read);
    return recordAge(present);
  }
  let body = await sharedRead(key, read);
  // The data may be too old by now if the read started before this request arrived.
  while (body.readAt < arrivedAt && !isFresh(body, cacheMs)) body = await sharedRead(key, read);
  return recordAge(body);
}

function isFresh({ readAt }: CachedBody, ms: number): boolean {
  return Date.now() - readAt < ms;
}

/** Records the age of the data in the request's usage. */
function recordAge(body: CachedBody): CachedBody {
  const { usage } = currentContext();
  usage.readAt = Math.min(usage.readAt, body.readAt);
  return body;
}

function refresh(key: string, read: () => Promise<JsonBody>): void {
  sharedRead(key, read).catch((error: unknown) => {
    logger.warn('A cached response could not be refreshed.', { reason: String(error) });
  });
}

/** Joins the read in progress or starts one. It has a deadline of its own, independent of the callers'. */
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
  const usage = newUsage();
  const startedAt = Date.now();
  const body = await withinDeadline((signal) =>
    inContext({ usage, signal }, async () => withGzip(await read())),
  );
  const complete = { ...body, tag: entityTag(body), readAt: usage.readAt };
  cached.set(key, complete);
  logRead(key, usage, Date.now() - startedAt);
  return complete;
}

/** Logs the cost of a read that many requests share, so that no single request is charged for it. */
function logRead(key: string, { reads }: Usage, ms: number): void {
  const [name] = key.split('?');
  logger.info(`${String(name)} was read`, { firestoreReads: reads, ms });
}

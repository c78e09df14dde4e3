import { logger } from 'firebase-functions/logger';
import { LRUCache } from 'lru-cache';
import { currentContext, inContext, newUsage, type Usage } from '../requestContext.ts';
import { withinDeadline } from './deadline.ts';
import { entityTag, withGzip, type JsonBody } from './response.ts';

/** What all cached responses of this instance may take together, in bytes: twice what the platform lets one be (32 MiB). */
const MAX_BYTES = 64 * 1024 * 1024;
/** After what part of its time a response is read again, while callers still get the one that is cached. */
const REFRESH_AFTER = 0.75;

/** A response that many callers get. */
export interface CachedBody extends JsonBody {
  readonly tag: string;
  /** When the reading of its data began, in ms since the epoch. */
  readonly readAt: number;
}

const cached = new LRUCache<string, CachedBody>({
  maxSize: MAX_BYTES,
  sizeCalculation: ({ identity, gzip }, key) =>
    identity.length + (gzip?.length ?? 0) + key.length + 1,
});
/** The readings that are under way. */
const readings = new Map<string, Promise<CachedBody>>();

/**
 * A public response, read once however many callers wait for it, and given to all of them for as long as it may be
 * cached (ms), counted from when its reading began. It is read again before that time is over, without anyone waiting.
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
    return used(present);
  }
  let body = await reading(key, read);
  // A reading that began before this caller arrived may have taken so long that its data is too old by now.
  while (body.readAt < arrivedAt && !isFresh(body, cacheMs)) body = await reading(key, read);
  return used(body);
}

function isFresh({ readAt }: CachedBody, ms: number): boolean {
  return Date.now() - readAt < ms;
}

/** Tells the request how old its data is. */
function used(body: CachedBody): CachedBody {
  const { usage } = currentContext();
  usage.readAt = Math.min(usage.readAt, body.readAt);
  return body;
}

function refresh(key: string, read: () => Promise<JsonBody>): void {
  reading(key, read).catch((error: unknown) => {
    logger.warn('A cached response could not be read again.', { reason: String(error) });
  });
}

/** The reading that is under way, or a new one: it has the time of a request of its own, whoever still waits. */
function reading(key: string, read: () => Promise<JsonBody>): Promise<CachedBody> {
  const present = readings.get(key);
  if (present !== undefined) return present;
  const begun = readForAll(key, read).finally(() => {
    readings.delete(key);
  });
  readings.set(key, begun);
  return begun;
}

async function readForAll(key: string, read: () => Promise<JsonBody>): Promise<CachedBody> {
  const usage = newUsage();
  const began = Date.now();
  const body = await withinDeadline((signal) =>
    inContext({ usage, signal }, async () => withGzip(await read())),
  );
  const whole = { ...body, tag: entityTag(body), readAt: usage.readAt };
  cached.set(key, whole);
  logReading(key, usage, Date.now() - began);
  return whole;
}

/** What a reading costs has a line of its own in the log: no single request pays for it. */
function logReading(key: string, { reads }: Usage, ms: number): void {
  const [name] = key.split('?');
  logger.info(`${String(name)} was read`, { firestoreReads: reads, ms });
}

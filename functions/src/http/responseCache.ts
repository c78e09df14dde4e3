/** Public responses: read once for all who ask for them, and cached. */
import { hash } from 'node:crypto';
import { logger } from 'firebase-functions/logger';
import { LRUCache } from 'lru-cache';
import { currentContext } from '../platform/requestContext.ts';
import { ListTooLarge, MAX_RESPONSE_BYTES, type JsonBody } from './responseBody.ts';

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

/** The body of a public response, with its entity tag and its age. */
export interface DatedBody {
  readonly body: JsonBody;
  /** The entity tag (RFC 9110, section 8.8.3). It is weak because the body may be sent compressed or not. */
  readonly tag: string;
  /** When the read of its data started, in ms of the monotonic clock (`performance.now()`). */
  readonly readAt: number;
}

/** A list that is too large to be sent: to find out costs as much as to send it, so that it is cached like one. */
interface DatedFailure {
  readonly failure: ListTooLarge;
  readonly readAt: number;
}

type Dated = DatedBody | DatedFailure;

const cache = new LRUCache<string, Dated>({
  // The largest response that can be sent fits, with its key.
  maxSize: MAX_RESPONSE_BYTES + 64 * 1024,
  sizeCalculation: sizeOf,
  // The clock of `readAt`. With another resolution lru-cache reuses a reading of it for a while.
  perf: { now: () => performance.now() },
  ttlResolution: 0,
});

/** The reads in progress, by the key of what they read. */
const reads = new Map<string, Promise<Dated>>();

/**
 * Returns a public response from the cache, or reads it once for all concurrent requests. The read has the deadline of the
 * request that starts it, and if it fails, so do all that wait for it; the next request reads anew.
 */
export async function cachedBody(source: PublicSource): Promise<DatedBody> {
  const { name, input, cacheMs } = source;
  // To lru-cache, a lifetime of 0 has no end.
  if (cacheMs === 0) return dated(source.read);
  const key = `${name} ${JSON.stringify(input)}`;
  const found = cache.get(key) ?? (await (reads.get(key) ?? startRead(key, source)));
  if ('failure' in found) throw found.failure;
  return found;
}

function sizeOf(entry: Dated, key: string): number {
  const bytes = 'body' in entry ? entry.body.bytes.length : 0;
  return bytes + 2 * key.length + ENTRY_BYTES;
}

function startRead(key: string, source: PublicSource): Promise<Dated> {
  const reading = readAndCache(key, source);
  reads.set(key, reading);
  return reading;
}

/** The lifetime of what is cached begins with the start of the read. */
async function readAndCache(key: string, source: PublicSource): Promise<Dated> {
  try {
    const found = await readForAll(source);
    cache.set(key, found, { start: found.readAt, ttl: source.cacheMs });
    return found;
  } finally {
    reads.delete(key);
  }
}

async function dated(read: () => Promise<JsonBody>): Promise<DatedBody> {
  const readAt = performance.now();
  const body = await read();
  return { body, tag: `W/"${hash('sha1', body.bytes, 'base64url')}"`, readAt };
}

/** Reads a response. No single request is charged for it, so it has a log line of its own. */
async function readForAll({ name, read }: PublicSource): Promise<Dated> {
  return currentContext().runShared(async (usage) => {
    const startedAt = performance.now();
    try {
      const found = await dated(read);
      // A copy: the bytes may be a part of a larger buffer, which would stay in memory with them.
      const bytes = Buffer.from(new Uint8Array(found.body.bytes).buffer);
      return { ...found, body: { ...found.body, bytes } };
    } catch (error) {
      if (error instanceof ListTooLarge) return { failure: error, readAt: startedAt };
      throw error;
    } finally {
      const ms = performance.now() - startedAt;
      logger.info(`${name} was read`, { firestoreReads: usage.reads, ms });
    }
  });
}

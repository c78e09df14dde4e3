/** An in-memory cache of one public response that coalesces concurrent reads. */
import { hash } from 'node:crypto';
import { currentContext, RequestContext } from '../runtime/requestContext.ts';
import { logCoalescedRead } from '../runtime/requestLog.ts';
import { ResponseTooLargeError, type SerializedBody } from './serialize.ts';

/** The body of a public response, with its entity tag and its age. */
export interface TaggedBody {
  readonly body: SerializedBody;
  /** The entity tag (RFC 9110, section 8.8.3). It is weak because the body may be sent compressed or not. */
  readonly etag: string;
  /** When the read of its data started, in ms of the monotonic clock (`performance.now()`). */
  readonly readAt: number;
}

export async function readTagged(read: () => Promise<SerializedBody>): Promise<TaggedBody> {
  const readAt = performance.now();
  const body = await read();
  return { body, etag: `W/"${hash('sha1', body.bytes, 'base64url')}"`, readAt };
}

/** The requirements of one request. */
export interface CacheRequest {
  readonly requestId: string;
  /** How old the response may be. */
  readonly maxAgeMs: number;
  /** How long a read may take, whether or not the request that starts it still waits. */
  readonly timeoutMs: number;
  readonly read: () => Promise<SerializedBody>;
}

/** A read that is under way, or whose result is cached. */
interface CacheEntry {
  readonly readAt: number;
  readonly result: Promise<TaggedBody>;
  isSettled: boolean;
}

export class ResponseCache {
  #latest: CacheEntry | undefined;

  /**
   * Returns the latest response if its read started at most `maxAgeMs` ago, even if that read is
   * still running; otherwise reads again. Only one read runs at a time: a request that needs
   * fresher data waits for it to finish, then shares the next read with all other waiting requests.
   * If a read fails, every request that shares it fails.
   */
  async get(wanted: CacheRequest): Promise<TaggedBody> {
    const { signal } = currentContext();
    const minReadAt = performance.now() - wanted.maxAgeMs;
    for (;;) {
      const latest = this.#latest;
      if (latest !== undefined && latest.readAt >= minReadAt) return latest.result;
      if (latest === undefined || latest.isSettled) return this.#start(wanted).result;
      await latest.result.catch(() => undefined);
      signal.throwIfAborted();
    }
  }

  #start({ requestId, maxAgeMs, timeoutMs, read }: CacheRequest): CacheEntry {
    const context = new RequestContext();
    const readAt = performance.now();
    const result = context
      .run(timeoutMs, () => readTagged(read))
      .catch((error: unknown) => {
        // Keep this error in the cache: finding out that a list is too large costs as much as
        // sending it.
        if (!(error instanceof ResponseTooLargeError)) this.#latest = undefined;
        throw error;
      })
      .finally(() => {
        reading.isSettled = true;
        if (maxAgeMs === 0) this.#latest = undefined;
        logCoalescedRead(requestId, performance.now() - readAt, context);
      });
    const reading = { readAt, result, isSettled: false };
    this.#latest = reading;
    return reading;
  }
}

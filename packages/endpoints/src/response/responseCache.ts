/** An in-memory cache of one public response that coalesces concurrent reads. */
import { hash } from 'node:crypto';
import { getCurrentContext, RequestContext } from '../runtime/requestContext.ts';
import { logCoalescedRead } from '../runtime/requestLog.ts';
import { ResponseTooLargeError, type SerializedBody } from './compress.ts';

/** The body of a public response, with its entity tag and its age. */
export interface TaggedBody {
  readonly body: SerializedBody;
  /** The entity tag (RFC 9110, section 8.8.3). It is weak because the body may be sent compressed or not. */
  readonly etag: string;
  /** When the read of its data started, in ms of the monotonic clock (`performance.now()`). */
  readonly readAt: number;
}

export async function readTaggedBody(read: () => Promise<SerializedBody>): Promise<TaggedBody> {
  const readAt = performance.now();
  const body = await read();
  return { body, etag: `W/"${hash('sha1', body.bytes, 'base64url')}"`, readAt };
}

/** The requirements of one request. */
export interface CacheRequest {
  /** Maximum age of the response, in ms. */
  readonly maxAgeMs: number;
  /** Timeout of a read, in ms, whether or not the request that starts it still waits. */
  readonly timeoutMs: number;
  readonly read: () => Promise<SerializedBody>;
}

/** A read in progress or, once settled, its cached result. */
interface CacheEntry {
  readonly startedAt: number;
  readonly result: Promise<TaggedBody>;
  isSettled: boolean;
}

export class ResponseCache {
  #entry: CacheEntry | undefined;

  /**
   * Returns the latest response if its read started at most `maxAgeMs` ago, even if that read is
   * still running; otherwise reads again. Only one read runs at a time: a request that needs
   * fresher data waits for it to finish, then shares the next read with all other waiting requests.
   * If a read fails, every request that shares it fails.
   */
  async get(request: CacheRequest): Promise<TaggedBody> {
    const { signal } = getCurrentContext();
    const minStartedAt = performance.now() - request.maxAgeMs;
    for (;;) {
      const entry = this.#entry;
      if (entry !== undefined && entry.startedAt >= minStartedAt) return entry.result;
      if (entry === undefined || entry.isSettled) return this.#read(request);
      // Too old for this request: waits for it, then shares the next read.
      await entry.result.catch(() => undefined);
      signal.throwIfAborted();
    }
  }

  async #read({ maxAgeMs, timeoutMs, read }: CacheRequest): Promise<TaggedBody> {
    // Logged with the ID of the request that starts the read.
    const context = new RequestContext(getCurrentContext().requestId);
    const startedAt = performance.now();
    const result = context.run(timeoutMs, () => readTaggedBody(read));
    const entry = { startedAt, result, isSettled: false };
    this.#entry = entry;
    try {
      return await result;
    } catch (error) {
      // Cached like a response: finding out that a list is too large costs as much as sending it.
      if (!(error instanceof ResponseTooLargeError)) this.#entry = undefined;
      throw error;
    } finally {
      entry.isSettled = true;
      if (maxAgeMs === 0) this.#entry = undefined;
      logCoalescedRead(context, performance.now() - startedAt);
    }
  }
}

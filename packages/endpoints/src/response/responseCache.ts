/** An in-memory cache of one public response that coalesces concurrent reads. */
import { getCurrentContext, RequestContext } from '../runtime/requestContext.ts';
import { logCoalescedRead } from '../runtime/requestLog.ts';
import { ListTooLargeError, type SerializedBody } from './serializeBody.ts';
import { readTaggedBody, type TaggedBody } from './httpResponse.ts';

/** A request for the cached response. */
export interface CacheRequest {
  /** Maximum age of the response, in ms. */
  readonly maxAgeMs: number;
  /** The time from the start of a read to its deadline, in ms. The read continues if the request that started it ends earlier. */
  readonly deadlineMs: number;
  readonly read: () => Promise<SerializedBody>;
}

/** A read in progress or, once settled, its cached result. */
interface CacheEntry {
  readonly startedAt: number;
  readonly result: Promise<TaggedBody>;
  isSettled: boolean;
}

/** Caches one response, and coalesces its reads. */
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
      // The running read is too old for this request, which shares the next read.
      await entry.result.catch(() => undefined);
      signal.throwIfAborted();
    }
  }

  async #read({ maxAgeMs, deadlineMs, read }: CacheRequest): Promise<TaggedBody> {
    // The log line of the read has the ID of the request that starts it.
    const context = new RequestContext(getCurrentContext().requestId);
    const startedAt = performance.now();
    const result = context.run(deadlineMs, () => readTaggedBody(read));
    const entry = { startedAt, result, isSettled: false };
    this.#entry = entry;
    try {
      return await result;
    } catch (error) {
      // This error is cached like a response: detecting it costs as much as sending the list.
      if (!(error instanceof ListTooLargeError)) this.#entry = undefined;
      throw error;
    } finally {
      entry.isSettled = true;
      if (maxAgeMs === 0) this.#entry = undefined;
      logCoalescedRead(context, performance.now() - startedAt);
    }
  }
}

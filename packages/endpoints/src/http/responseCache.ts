/** An in-memory cache of one public response that coalesces concurrent reads. */
import { hash } from 'node:crypto';
import { currentContext, RequestContext } from '../platform/requestContext.ts';
import { logSharedRead } from './requestLog.ts';
import { ListTooLarge, type JsonBody } from './responseBody.ts';

/** The body of a public response, with its entity tag and its age. */
export interface DatedBody {
  readonly body: JsonBody;
  /** The entity tag (RFC 9110, section 8.8.3). It is weak because the body may be sent compressed or not. */
  readonly tag: string;
  /** When the read of its data started, in ms of the monotonic clock (`performance.now()`). */
  readonly readAt: number;
}

export async function dated(read: () => Promise<JsonBody>): Promise<DatedBody> {
  const readAt = performance.now();
  const body = await read();
  return { body, tag: `W/"${hash('sha1', body.bytes, 'base64url')}"`, readAt };
}

/** The requirements of one request. */
export interface Wanted {
  readonly requestId: string;
  /** How old the response may be. */
  readonly cacheMs: number;
  /** How long a read may take, whether or not the request that starts it still waits. */
  readonly deadlineMs: number;
  readonly read: () => Promise<JsonBody>;
}

/** A read that is under way, or whose result is cached. */
interface Reading {
  readonly readAt: number;
  readonly result: Promise<DatedBody>;
  isOver: boolean;
}

export class ResponseCache {
  #latest: Reading | undefined;

  /**
   * Returns the latest response if its read started at most `maxAgeMs` ago, even if that read is
   * still running; otherwise reads again. Only one read runs at a time: a request that needs
   * fresher data waits for it to finish, then shares the next read with all other waiting requests.
   * If a read fails, every request that shares it fails.
   */
  async get(wanted: Wanted): Promise<DatedBody> {
    const { signal } = currentContext();
    const oldest = performance.now() - wanted.cacheMs;
    for (;;) {
      const latest = this.#latest;
      if (latest !== undefined && latest.readAt >= oldest) return latest.result;
      if (latest === undefined || latest.isOver) return this.#start(wanted).result;
      await latest.result.catch(() => undefined);
      signal.throwIfAborted();
    }
  }

  #start({ requestId, cacheMs, deadlineMs, read }: Wanted): Reading {
    const context = new RequestContext();
    const readAt = performance.now();
    const result = context
      .run(deadlineMs, () => dated(read))
      .catch((error: unknown) => {
        // Keep this error in the cache: finding out that a list is too large costs as much as
        // sending it.
        if (!(error instanceof ListTooLarge)) this.#latest = undefined;
        throw error;
      })
      .finally(() => {
        reading.isOver = true;
        if (cacheMs === 0) this.#latest = undefined;
        logSharedRead(requestId, performance.now() - readAt, context);
      });
    const reading = { readAt, result, isOver: false };
    this.#latest = reading;
    return reading;
  }
}

import { logger } from 'firebase-functions/logger';
import { unavailable } from '../errors.ts';
import { SharedWork } from './sharedWork.ts';
import { withinLimit } from './timeLimit.ts';

/** How long a fetch may take, in ms. */
const LIMIT_MS = 5_000;
/** The least time from the start of a fetch that failed to the start of the next one, in ms. */
const PAUSE_MS = 1_000;

/** A fetched value. */
export interface Fetched<Value> {
  readonly value: Value;
  /** How long it may be used, in ms. */
  readonly lifetimeMs: number;
}

/**
 * Returns a function that fetches a value for all its concurrent callers, and caches it for its lifetime by the monotonic
 * clock. It throws `unavailable` if a fetch fails that started after the caller arrived: whoever joined an earlier one
 * waits for the next, instead of failing with it. `name` is the value's name in the log.
 */
export function sharedFetch<Value>(
  name: string,
  fetch: (signal: AbortSignal) => Promise<Fetched<Value>>,
): () => Promise<Value> {
  let cached: { readonly value: Value; readonly expiresAt: number } | undefined;
  let nextStartAt = 0;
  const fetches = new SharedWork<Value>();

  async function fetchAt(startsAt: number): Promise<Value> {
    const controller = new AbortController();
    try {
      const waitMs = startsAt - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      nextStartAt = startsAt + PAUSE_MS;
      const { value, lifetimeMs } = await withinLimit(LIMIT_MS, fetch(controller.signal));
      cached = { value, expiresAt: startsAt + lifetimeMs };
      return value;
    } catch (cause) {
      logger.error(`${name} could not be fetched.`, { reason: String(cause) });
      throw unavailable(cause);
    } finally {
      controller.abort();
    }
  }

  return async () =>
    cached !== undefined && performance.now() < cached.expiresAt
      ? cached.value
      : fetches.join('', fetchAt, () => Math.max(performance.now(), nextStartAt));
}

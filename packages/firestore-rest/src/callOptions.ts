import type { Backoff } from './retry.ts';

/** Limits of one call: time, memory and retries. */
export interface CallOptions {
  /**
   * Aborts at the deadline, or when the result is no longer needed. Cancels the call and its
   * retries.
   */
  readonly signal: AbortSignal;
  /** The time until the deadline, in ms. */
  readonly remainingMs: number;
  /** The maximum size of a response body. A larger one fails with `RESPONSE_TOO_LARGE`. */
  readonly maxBytes?: number;
  /** The backoff of the retries. Calls that belong together share one. */
  readonly backoff?: Backoff;
}

import { setTimeout as delay } from 'node:timers/promises';
import { FirestoreError, notSentError } from './firestoreError.ts';

/** The longest wait after the first failure, and after any number of failures, in ms. Half of a wait is random. */
const BASE_DELAY_MS = 100;
const MAX_DELAY_MS = 2_000;
/** The longest random wait after the first conflict, and after any number of conflicts, in ms. */
const BASE_CONFLICT_DELAY_MS = 40;
const MAX_CONFLICT_DELAY_MS = 1_000;

/** Statuses with the short backoff of conflicts: another client has made progress. */
const SHORT_BACKOFF_STATUSES: ReadonlySet<string> = new Set(['FAILED_PRECONDITION', 'ABORTED']);

/**
 * Exponential backoff with jitter, shared by all Firestore calls of one request, so that retries do
 * not prolong an outage. Conflicts have their own, shorter backoff.
 */
export class Backoff {
  #failures = 0;
  #conflicts = 0;

  /** Waits before a retry. Throws a transient error if the signal aborts first. */
  async wait(error: FirestoreError, signal: AbortSignal): Promise<void> {
    try {
      await delay(this.#next(SHORT_BACKOFF_STATUSES.has(error.status)), undefined, { signal });
    } catch {
      throw notSentError(error);
    }
  }

  #next(isConflict: boolean): number {
    if (isConflict) {
      const longest = Math.min(
        MAX_CONFLICT_DELAY_MS,
        BASE_CONFLICT_DELAY_MS * 2 ** this.#conflicts++,
      );
      return Math.random() * longest;
    }
    const longest = Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** this.#failures++);
    return (longest * (1 + Math.random())) / 2;
  }
}

/** Limits of one call: time, memory and retries. */
export interface CallLimits {
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

/** Repeats a read after transient errors, until the deadline. */
export async function retryRead<Result>(
  { signal, backoff = new Backoff() }: CallLimits,
  read: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof FirestoreError && error.isTransient)) throw error;
      await backoff.wait(error, signal);
    }
  }
}

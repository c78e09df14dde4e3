import { setTimeout as delay } from 'node:timers/promises';
import { notSent, type FirestoreError } from './firestoreError.ts';

/** The waits after failures, in ms; half of each is random. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;
/** The longest random wait after a first conflict, and after any, in ms. */
const FIRST_CONFLICT_MS = 40;
const LONGEST_CONFLICT_MS = 1_000;

/** Errors after which somebody else has made progress. */
const CONFLICTS: ReadonlySet<string> = new Set(['FAILED_PRECONDITION', 'ABORTED']);

/**
 * The waits before further attempts of one request. They double, with one count for all its calls, so that requests do not
 * prolong an outage. Those after conflicts are short, and counted apart.
 */
export class Backoff {
  #failures = 0;
  #conflicts = 0;

  /** Waits after an error. Throws a transient one if the signal aborts first. */
  async wait(error: FirestoreError, signal: AbortSignal): Promise<void> {
    try {
      await delay(this.#next(CONFLICTS.has(error.status)), undefined, { signal });
    } catch {
      throw notSent(error);
    }
  }

  #next(isConflict: boolean): number {
    if (isConflict) {
      const longest = Math.min(LONGEST_CONFLICT_MS, FIRST_CONFLICT_MS * 2 ** this.#conflicts++);
      return Math.random() * longest;
    }
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures++);
    return (longest * (1 + Math.random())) / 2;
  }
}

/**
 * The context of the current request. `http/` creates it, and `documents/` observes its deadline and records what it
 * does, so neither imports the other.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { unavailable } from '../errors.ts';

/** What a request read and wrote, for its log line. */
export interface Usage {
  /**
   * Documents read and entries counted, as Firestore bills them (https://firebase.google.com/docs/firestore/pricing).
   */
  reads: number;
  /** Documents written or deleted. */
  writes: number;
}

const contexts = new AsyncLocalStorage<RequestContext>();

/** The reason of the signal of a request that has ended. */
const ENDED = new Error('The request has ended.');

/** A request in progress, or a read that several requests share. */
export class RequestContext {
  readonly usage: Usage = { reads: 0, writes: 0 };
  /** Whether a change of this request may have been made, or may be made a moment later. */
  mayHaveWritten = false;
  /** The caller in the log line, if callers are logged. */
  callerHash: string | undefined;
  readonly #controller = new AbortController();
  #endsAt = Infinity;

  /** Aborts at the deadline, or when the request ends before: calls in progress end, and no new ones start. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The time until the deadline, in ms. */
  get msLeft(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  /**
   * Runs work as this request. After `limitMs` the signal aborts and the result rejects with `unavailable`, even if the
   * work ignores the signal.
   */
  async run<Result>(limitMs: number, work: () => Promise<Result>): Promise<Result> {
    this.#endsAt = performance.now() + limitMs;
    const timer = setTimeout(() => {
      this.#controller.abort(unavailable(new Error('The deadline has passed.')));
    }, limitMs);
    try {
      return await this.#enter(work);
    } finally {
      clearTimeout(timer);
      this.#controller.abort(ENDED);
    }
  }

  /** Runs work in this context; the result rejects when the signal aborts. */
  async #enter<Result>(work: () => Promise<Result>): Promise<Result> {
    const { signal } = this;
    const { promise: late, reject } = Promise.withResolvers<never>();
    // A moment later: the work may still set `mayHaveWritten` when it is aborted.
    const fail = () => setImmediate(reject, signal.reason);
    signal.addEventListener('abort', fail);
    try {
      return await Promise.race([contexts.run(this, work), late]);
    } finally {
      signal.removeEventListener('abort', fail);
    }
  }
}

/** The context of the current request; throws outside of one. */
export function currentContext(): RequestContext {
  const context = contexts.getStore();
  if (context === undefined) throw new Error('No request is being served.');
  return context;
}

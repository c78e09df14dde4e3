/**
 * The context of the current request. `http/` creates it, and `documents/` observes its deadline and records what it
 * does, so neither imports the other.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Backoff } from '@tattoo-marketplace/firestore-rest';
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
/** The same, if its caller has left. */
const LEFT = new Error('The caller has left.');

/** A request in progress, or a read that several requests share. */
export class RequestContext {
  /** The waits before further attempts. */
  readonly backoff = new Backoff();
  readonly usage: Usage = { reads: 0, writes: 0 };
  /** Whether a change of this request may have been made, or may be made a moment later. */
  mayHaveWritten = false;
  /** The id for the document that this request creates, until it is used. */
  newId: string | undefined;
  /** The caller in the log line, if callers are logged. */
  callerHash: string | undefined;
  readonly #controller = new AbortController();
  #endsAt = Infinity;

  /** Aborts at the deadline, or when the request ends before: reads in progress end, and no new calls start. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The time until the deadline, in ms. */
  get msLeft(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  /**
   * Runs work as this request. After `limitMs` the signal aborts and the result rejects with `unavailable`, even if the
   * work ignores the signal. So it does when the caller leaves.
   */
  async run<Result>(limitMs: number, work: () => Promise<Result>): Promise<Result> {
    this.#endsAt = performance.now() + limitMs;
    const timer = setTimeout(() => {
      this.#controller.abort(unavailable(new Error('The deadline has passed.')));
    }, limitMs);
    const { signal } = this;
    const { promise: late, reject } = Promise.withResolvers<never>();
    // A moment later: the work may still set `mayHaveWritten` when it is aborted.
    const fail = () => setImmediate(reject, signal.reason);
    signal.addEventListener('abort', fail);
    try {
      return await Promise.race([contexts.run(this, work), late]);
    } finally {
      signal.removeEventListener('abort', fail);
      clearTimeout(timer);
      this.#controller.abort(ENDED);
    }
  }

  /** Ends the request, because its caller has left: as at the deadline, a commit that was sent is not aborted. */
  leave(): void {
    this.#controller.abort(LEFT);
  }

  get hasLeft(): boolean {
    return this.signal.reason === LEFT;
  }
}

/** The context of the current request; throws outside of one. */
export function currentContext(): RequestContext {
  const context = contexts.getStore();
  if (context === undefined) throw new Error('No request is being served.');
  return context;
}

/**
 * The context of the current request: deadline, cancellation, and what the log line reports.
 * Endpoints and `runInBackground` create it, and collections read it through `getCurrentContext()`.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { unavailableError } from '../declaration/errors.ts';

const storage = new AsyncLocalStorage<RequestContext>();

/** Abort reason of a completed request. */
const REQUEST_ENDED = new Error('The request has ended.');
/** Abort reason of a request whose client disconnected. */
const CLIENT_DISCONNECTED = new Error('The client has disconnected.');

/** A request or a background run in progress, or a read that several requests share. */
export class RequestContext {
  /** Identifies the request in the log and in its response. */
  readonly requestId: string;
  /**
   * For the log line: documents read and entries counted, as they are billed
   * (https://firebase.google.com/docs/firestore/pricing), and documents written or deleted.
   */
  readonly usage = { reads: 0, writes: 0 };
  /** True if a write of this request may have been applied, or may still be applied. */
  mayHaveWritten = false;
  /** The caller in the log line, if callers are logged. */
  callerHash: string | undefined;
  readonly #controller = new AbortController();
  #endsAt = Infinity;

  constructor(requestId: string = randomUUID()) {
    this.requestId = requestId;
  }

  /** Aborts at the deadline, when the client disconnects, or when the request ends: reads stop, and no new calls start. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The time until the deadline, in ms. */
  get remainingMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  /**
   * Runs `work` in this context. At the deadline, `deadlineMs` from now, or when the client disconnects, the signal
   * aborts and the returned promise rejects, even if `work` ignores the signal: with `unavailable`
   * at the deadline.
   */
  async run<Result>(deadlineMs: number, work: () => Promise<Result>): Promise<Result> {
    this.#endsAt = performance.now() + deadlineMs;
    const timer = setTimeout(() => {
      this.#controller.abort(unavailableError(new Error('The deadline has passed.')));
    }, deadlineMs);
    const { signal } = this;
    const { promise: rejectedOnAbort, reject } = Promise.withResolvers<never>();
    // Rejects a moment later, because the work may still set `mayHaveWritten` in its own listener.
    const onAbort = () => setImmediate(reject, signal.reason);
    signal.addEventListener('abort', onAbort);
    try {
      return await Promise.race([storage.run(this, work), rejectedOnAbort]);
    } finally {
      signal.removeEventListener('abort', onAbort);
      clearTimeout(timer);
      this.#controller.abort(REQUEST_ENDED);
    }
  }

  /**
   * Cancels the request because the client disconnected. Like at the deadline, a commit that was
   * already sent is not aborted.
   */
  disconnect(): void {
    this.#controller.abort(CLIENT_DISCONNECTED);
  }

  get clientDisconnected(): boolean {
    return this.signal.reason === CLIENT_DISCONNECTED;
  }
}

/** Returns the context of the current request or background run. Throws if there is none. */
export function getCurrentContext(): RequestContext {
  const context = storage.getStore();
  if (context === undefined) {
    throw new Error(
      'No request is being served. In a trigger or a schedule, call models within runInBackground.',
    );
  }
  return context;
}

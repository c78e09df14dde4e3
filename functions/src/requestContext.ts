/**
 * The context of the current request. `http/` sets it, and `firestore/` reads its deadline and records its usage, so
 * neither imports the other.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** What one request read and wrote. It is logged, and limits how long the response may be cached. */
export interface Usage {
  /**
   * Documents read and entries counted, as Firestore bills them (https://firebase.google.com/docs/firestore/pricing).
   */
  reads: number;
  /** Documents written or deleted. */
  writes: number;
  /** When the read of the oldest data in the response started, in ms since the epoch. */
  readAt: number;
}

/** The context of a request. */
export interface RequestContext {
  readonly usage: Usage;
  /** Aborts at the deadline: calls in progress end, and no new ones start. */
  readonly signal: AbortSignal;
}

const contexts = new AsyncLocalStorage<RequestContext>();

/** The usage of a request that starts now. */
export function newUsage(): Usage {
  return { reads: 0, writes: 0, readAt: Date.now() };
}

/** Runs work as part of a request. */
export function inContext<Result>(context: RequestContext, work: () => Result): Result {
  return contexts.run(context, work);
}

/** The context of the current request; throws outside of one. */
export function currentContext(): RequestContext {
  const context = contexts.getStore();
  if (context === undefined) throw new Error('No request is being served.');
  return context;
}

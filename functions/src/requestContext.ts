/**
 * What `http/` tells `firestore/` about the request that is being served, and `firestore/` tells `http/` about its
 * work: so neither needs to know the other.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** What was read and written for one request: for its line in the log, and for how long its response may be cached. */
export interface Usage {
  /** Documents read and entries counted, as Firestore bills them (https://firebase.google.com/docs/firestore/pricing). */
  reads: number;
  /** Documents written or deleted. */
  writes: number;
  /** When the reading of the oldest data in the response began, in ms since the epoch. */
  readAt: number;
}

/** The request that is being served. */
export interface RequestContext {
  readonly usage: Usage;
  /** Aborts at the deadline: then calls under way end, and no other is made. */
  readonly signal: AbortSignal;
}

const contexts = new AsyncLocalStorage<RequestContext>();

/** The usage of a request that begins now. */
export function newUsage(): Usage {
  return { reads: 0, writes: 0, readAt: Date.now() };
}

/** Runs work as part of a request. */
export function inContext<Result>(context: RequestContext, work: () => Result): Result {
  return contexts.run(context, work);
}

/** The request that is being served; throws outside of one. */
export function currentContext(): RequestContext {
  const context = contexts.getStore();
  if (context === undefined) throw new Error('No request is being served.');
  return context;
}

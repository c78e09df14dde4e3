/** Decides which failed requests are sent again, and after how long. */
import type { MarketplaceError } from './error.ts';
import type { Operation } from './request.ts';

/** The wait before the first retry, in ms. The wait doubles with each retry. */
const BASE_DELAY_MS = 300;
/** The HTTP statuses after which a request is retried, like after a lost connection. */
const RETRYABLE_STATUSES = [408, 429, 502, 503, 504];

/** Returns whether a retry may succeed and cannot apply a change twice. */
export function isRetryable(
  { retry }: Operation,
  { code, status }: MarketplaceError,
  mayHaveSucceeded: boolean,
): boolean {
  if (retry === 'unsafe' && mayHaveSucceeded) return false;
  return code === 'no-response' || RETRYABLE_STATUSES.includes(status);
}

/** Returns whether a failed request may have changed something. */
export function mayHaveBeenApplied(
  { method }: Operation,
  { status, code }: MarketplaceError,
): boolean {
  if (method === 'GET') return false;
  if (status === 408) return code !== 'request-timeout';
  if (status === 503) return code !== 'unavailable';
  return status < 400 || status >= 500;
}

/**
 * Computes the wait before a retry, in ms: exponential backoff with jitter, so that clients do not
 * retry in lockstep, and at least `Retry-After`.
 */
export function computeRetryDelayMs({ retryAfter = 0 }: MarketplaceError, retry: number): number {
  const backoff = BASE_DELAY_MS * 2 ** retry * (0.5 + Math.random() / 2);
  return Math.max(retryAfter * 1000, backoff);
}

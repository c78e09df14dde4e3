import { ServiceError } from '../errors.ts';
import { DOCUMENTS_PER_REQUEST } from '../parameters.ts';
import { boundedCache } from '../boundedCache.ts';

const WINDOW_SECONDS = 60;
/** Maximum number of users tracked. The least recently active users are evicted. */
const MAX_USERS = 20_000;

/** Headers of the draft "RateLimit header fields for HTTP" (draft-ietf-httpapi-ratelimit-headers-08). */
export type RateLimitHeaders = Readonly<Record<string, string>>;

/**
 * A fixed one-minute window that starts with the user's first request. Around a window boundary, up
 * to twice the quota may pass within a minute.
 */
interface Window {
  /** When it ends, in ms of the monotonic clock. */
  readonly endsAt: number;
  requests: number;
}

const windows = boundedCache<Window>(MAX_USERS);

/**
 * Charges one request to a user's quota of `quota` requests per minute; 0 disables the limit.
 * Throws `resource-exhausted` (429) without charging anything if the quota is used up. Each
 * instance counts separately, so the quota applies per instance.
 */
export function countRequest(uid: string, quota: number): void {
  addRequests(uid, quota, 1);
}

/**
 * Charges the remaining cost of a request that refers to, or asks for, this many documents, so that
 * the limit also bounds the Firestore bill. A single request costs at most the whole quota. Returns
 * the rate limit headers; throws like `chargeRequest`.
 */
export function countDocuments(uid: string, quota: number, documents: number): RateLimitHeaders {
  const requests = Math.ceil(documents / DOCUMENTS_PER_REQUEST);
  return addRequests(uid, quota, Math.max(1, Math.min(requests, quota)) - 1);
}

/** Adds these requests to those of the user if they fit into the quota; otherwise throws 429. */
function addRequests(uid: string, quota: number, added: number): RateLimitHeaders {
  if (quota === 0) return {};
  const now = performance.now();
  const window = windowOf(uid, now);
  const seconds = Math.ceil((window.endsAt - now) / 1000);
  const requests = window.requests + added;
  if (requests > quota) throw tooManyRequests(headersOf(window, quota, seconds), seconds);
  window.requests = requests;
  return headersOf(window, quota, seconds);
}

/** The user's window at this time; a new one if the last has ended. */
function windowOf(uid: string, now: number): Window {
  const last = windows.get(uid);
  if (last !== undefined && last.endsAt > now) return last;
  const window = { endsAt: now + WINDOW_SECONDS * 1000, requests: 0 };
  windows.set(uid, window);
  return window;
}

function headersOf({ requests }: Window, quota: number, seconds: number): RateLimitHeaders {
  return {
    'RateLimit-Policy': `"user";q=${quota};w=${WINDOW_SECONDS}`,
    RateLimit: `"user";r=${quota - requests};t=${seconds}`,
  };
}

function tooManyRequests(headers: RateLimitHeaders, seconds: number): ServiceError {
  return new ServiceError('resource-exhausted', 'Too many requests. Please wait a little.', {
    ...headers,
    'Retry-After': String(seconds),
  });
}

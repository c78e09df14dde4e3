import { ServiceError } from '../declaration/errors.ts';
import { DOCUMENTS_PER_RATE_LIMIT_UNIT } from '../declaration/parameters.ts';
import { createLruCache } from '../runtime/lruCache.ts';

const WINDOW_SECONDS = 60;
/** Maximum number of users tracked. The least recently active users are evicted. */
const MAX_USERS = 20_000;

/** The headers of the draft "RateLimit header fields for HTTP" (draft-ietf-httpapi-ratelimit-headers-08). */
export type RateLimitHeaders = Readonly<Record<string, string>>;

/**
 * A fixed one-minute window that starts with the user's first request. Around a window boundary, up
 * to twice the quota may pass within a minute.
 */
interface UserWindow {
  /** The end of the window, in ms of the monotonic clock. */
  readonly endsAt: number;
  /** The number of requests charged so far. */
  requests: number;
}

const windows = createLruCache<UserWindow>(MAX_USERS);

/**
 * Charges one request to a user's quota of `quota` requests per minute; 0 disables the limit.
 * Throws `resource-exhausted` (429) without charging anything if the quota is used up. Each
 * instance counts separately, so the quota applies per instance.
 */
export function chargeRequest(uid: string, quota: number): void {
  charge(uid, quota, 1);
}

/**
 * Charges the remaining cost of a request that refers to, or asks for, this many documents, so that
 * the limit also bounds the Firestore bill. A single request costs at most the whole quota. Returns
 * the rate limit headers; throws like `chargeRequest`.
 */
export function chargeDocuments(uid: string, quota: number, documents: number): RateLimitHeaders {
  const requests = Math.ceil(documents / DOCUMENTS_PER_RATE_LIMIT_UNIT);
  return charge(uid, quota, Math.max(1, Math.min(requests, quota)) - 1);
}

/** Charges this number of requests. Throws 429 without charging anything if they exceed the quota. */
function charge(uid: string, quota: number, cost: number): RateLimitHeaders {
  if (quota === 0) return {};
  const now = performance.now();
  const window = openWindow(uid, now);
  const secondsLeft = Math.ceil((window.endsAt - now) / 1000);
  const requests = window.requests + cost;
  if (requests > quota) {
    throw tooManyRequestsError(buildRateLimitHeaders(window, quota, secondsLeft), secondsLeft);
  }
  window.requests = requests;
  return buildRateLimitHeaders(window, quota, secondsLeft);
}

/** Returns the user's current window. Opens a new one if the last window has ended. */
function openWindow(uid: string, now: number): UserWindow {
  const lastWindow = windows.get(uid);
  if (lastWindow !== undefined && lastWindow.endsAt > now) return lastWindow;
  const window = { endsAt: now + WINDOW_SECONDS * 1000, requests: 0 };
  windows.set(uid, window);
  return window;
}

function buildRateLimitHeaders(
  { requests }: UserWindow,
  quota: number,
  secondsLeft: number,
): RateLimitHeaders {
  return {
    'RateLimit-Policy': `"user";q=${quota};w=${WINDOW_SECONDS}`,
    RateLimit: `"user";r=${quota - requests};t=${secondsLeft}`,
  };
}

function tooManyRequestsError(headers: RateLimitHeaders, secondsLeft: number): ServiceError {
  return new ServiceError('resource-exhausted', 'Too many requests. Please wait a little.', {
    headers: { ...headers, 'Retry-After': String(secondsLeft) },
  });
}

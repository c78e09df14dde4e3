import { ServiceError } from '../errors.ts';
import { DOCUMENTS_PER_REQUEST } from '../parameters.ts';
import { boundedCache } from '../boundedCache.ts';

const WINDOW_SECONDS = 60;
/** The most users that are counted. Beyond that, the counts of the least recently seen are dropped. */
const MAX_USERS = 20_000;

/** Headers of the draft "RateLimit header fields for HTTP" (draft-ietf-httpapi-ratelimit-headers-08). */
export type RateLimitHeaders = Readonly<Record<string, string>>;

/** A user's requests within a minute of the first one; around its end, twice the quota may pass in less than a minute. */
interface Window {
  /** When it ends, in ms of the monotonic clock. */
  readonly endsAt: number;
  requests: number;
}

const windows = boundedCache<Window>(MAX_USERS);

/**
 * Counts a request of a user, who may send `quota` in a minute; 0 means no limit. If it does not fit, throws 429 and counts
 * nothing. Each instance counts separately: a user served by several instances has the whole quota at each.
 */
export function countRequest(uid: string, quota: number): void {
  addRequests(uid, quota, 1);
}

/**
 * Counts the rest of a request that names or asks for this many documents, so that the limit protects the bill. A
 * request is never larger than the whole quota. Returns the remaining quota as headers; throws like `countRequest`.
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

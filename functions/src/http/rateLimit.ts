import { isIPv6 } from 'node:net';
import type { Request } from 'firebase-functions/https';
import { boundedCache } from '../platform/boundedCache.ts';
import { addressRequestsPerMinute, userRequestsPerMinute, type Setting } from '../parameters.ts';
import { HttpError } from '../errors.ts';

const WINDOW_SECONDS = 60;

/** The most callers that are counted. Beyond that, the counts of the least recently seen are dropped. */
const MAX_CALLERS = 20_000;

/** Headers of the draft "RateLimit header fields for HTTP" (draft-ietf-httpapi-ratelimit-headers-08). */
export type RateLimitHeaders = Readonly<Record<string, string>>;

/**
 * Counts a request of a caller and returns the remaining quota as headers. Throws 429 if it is used up. Each instance
 * counts separately: a caller served by several instances has the whole quota at each.
 */
export type RateLimit = (caller: string) => RateLimitHeaders;

/** The rate limit per IP address. */
export const limitAddress = rateLimit('address', addressRequestsPerMinute);

/** The rate limit per signed-in user, by uid. */
export const limitUser = rateLimit('user', userRequestsPerMinute);

/** A caller's requests in one minute. */
interface Window {
  /** When it ends, in ms of the monotonic clock. */
  readonly endsAt: number;
  requests: number;
}

const NO_HEADERS: RateLimitHeaders = {};

function rateLimit(name: string, limit: Setting<number>): RateLimit {
  const windows = boundedCache<Window>(MAX_CALLERS);

  return (caller) => {
    const quota = limit.value();
    if (quota === 0) return NO_HEADERS;
    const now = performance.now();
    let window = windows.get(caller);
    if (window === undefined || window.endsAt <= now) {
      window = { endsAt: now + WINDOW_SECONDS * 1000, requests: 0 };
      windows.set(caller, window);
    }
    window.requests += 1;
    const seconds = Math.ceil((window.endsAt - now) / 1000);
    const headers = {
      'RateLimit-Policy': `"${name}";q=${quota};w=${WINDOW_SECONDS}`,
      RateLimit: `"${name}";r=${Math.max(0, quota - window.requests)};t=${seconds}`,
    };
    if (window.requests > quota) {
      throw new HttpError('resource-exhausted', 'Too many requests. Please wait a little.', {
        ...headers,
        'Retry-After': String(seconds),
      });
    }
    return headers;
  };
}

/**
 * The client's IP address, or its /64 network for IPv6, because one client usually controls a whole network. Only the
 * last entry of `X-Forwarded-For` counts: the platform's front end appends it to whatever the client sent. For a call
 * through Hosting that is an address of Hosting.
 */
export function addressOf(request: Request): string {
  const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',');
  const last = forwarded.slice(forwarded.lastIndexOf(',') + 1).trim();
  const address = last === '' ? (request.socket.remoteAddress ?? '') : last;
  // A dual-stack socket reports IPv4 addresses as ::ffff:1.2.3.4.
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  return plain.includes(':') && isIPv6(plain) ? networkOf(plain) : plain;
}

/** The first 64 bits of an IPv6 address. */
function networkOf(address: string): string {
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = [
    ...before,
    ...Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0'),
    ...after,
  ];
  return groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':');
}

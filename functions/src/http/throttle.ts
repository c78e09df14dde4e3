import type { Response } from 'express';
import { ipKeyGenerator, rateLimit, type RateLimitRequestHandler } from 'express-rate-limit';
import { HttpsError, type Request } from 'firebase-functions/https';
import { addressRequestsPerMinute, userRequestsPerMinute, type Setting } from '../parameters.ts';

const WINDOW_MS = 60_000;

/** Counts a request, and refuses it where too many came within the minute. Throws `resource-exhausted`. */
export type Throttle = (request: Request, response: Response, key: string) => Promise<void>;

/**
 * The throttle of addresses. Each instance counts for itself: a caller whom several instances serve is let through as
 * often as there are instances.
 */
export const throttleAddress = throttle('address', addressRequestsPerMinute);

/** The throttle of signed-in users, by their uid; like that of addresses, of each instance by itself. */
export const throttleUser = throttle('user', userRequestsPerMinute);

/**
 * The address from which a request came, or the network of it where it is IPv6. Of `X-Forwarded-For` only the last
 * entry counts: the platform's front end adds it, and whatever a client has sent stands before it. For a call that
 * comes through Hosting that is the address of Hosting's edge.
 */
export function addressOf(request: Request): string {
  const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',');
  const last = forwarded.slice(forwarded.lastIndexOf(',') + 1).trim();
  const address = last === '' ? (request.socket.remoteAddress ?? '') : last;
  // An IPv4 address as a socket that takes both kinds has it.
  return ipKeyGenerator(address.replace(/^::ffff:(?=[\d.]+$)/, ''));
}

function throttle(name: string, limit: Setting<number>): Throttle {
  /** What the library is told, which takes requests only; keys are kept as long as their request. */
  const keys = new WeakMap<Request, string>();
  let limiter: RateLimitRequestHandler | undefined;

  return async (request, response, key) => {
    if (limit.value() === 0) return;
    // Made when it is first needed: it starts a timer.
    limiter ??= rateLimit({
      windowMs: WINDOW_MS,
      limit: () => limit.value(),
      identifier: name,
      standardHeaders: 'draft-8',
      legacyHeaders: false,
      keyGenerator: (counted) => keys.get(counted as Request) ?? '',
      // What it finds is thrown, for the answer is made elsewhere.
      handler: (_counted, _response, next) => {
        next(new HttpsError('resource-exhausted', 'Too many requests. Please wait a little.'));
      },
      validate: false,
    });
    keys.set(request, key);
    const result: unknown = await new Promise((resolve) => {
      void limiter?.(request, response, resolve);
    });
    if (result !== undefined) throw result as Error;
  };
}

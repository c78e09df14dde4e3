import type { Request } from 'firebase-functions/https';
import { allowedOrigins } from '../parameters.ts';

type Headers = Readonly<Record<string, string>>;

/** Longer `Access-Control-Request-Headers` are not echoed. */
const MAX_REQUESTED_HEADERS_LENGTH = 1_000;
/** The name of a header (https://www.rfc-editor.org/rfc/rfc9110#name-tokens). */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Returns the CORS headers of a preflight response. It allows every requested header, for example
 * those of tracing tools. That is safe, because browsers never add an `Authorization` header on
 * their own.
 */
export function buildPreflightHeaders({ headers }: Request): Headers {
  const requested = headers['access-control-request-headers'] ?? '';
  const isWellFormed =
    requested.length <= MAX_REQUESTED_HEADERS_LENGTH &&
    requested.split(',').every((name) => HEADER_NAME.test(name.trim()));
  return {
    // Every method of the API is allowed here. Otherwise a browser would block a wrong request and
    // hide our 404 or 405.
    'Access-Control-Allow-Methods': 'GET,HEAD,POST,PUT,DELETE',
    'Access-Control-Allow-Headers': isWellFormed
      ? requested
      : 'Authorization,Content-Type,Idempotency-Key,If-None-Match,X-Firebase-AppCheck',
    // How long a browser may cache it, in seconds.
    'Access-Control-Max-Age': '3600',
    Vary: 'Access-Control-Request-Headers',
  };
}

const EXPOSED_HEADERS: Headers = {
  'Access-Control-Expose-Headers':
    'Allow,ETag,RateLimit,RateLimit-Policy,Retry-After,WWW-Authenticate,X-Error-Code,X-Request-Id',
};

/** Headers that let pages of allowed origins read a response (https://fetch.spec.whatwg.org/#http-cors-protocol). */
export function buildCorsHeaders({ headers: { origin } }: Request): Headers {
  const allowed = allowedOrigins.value().split(/ *, */);
  if (allowed.includes('*')) return { ...EXPOSED_HEADERS, 'Access-Control-Allow-Origin': '*' };
  return origin !== undefined && allowed.includes(origin)
    ? { ...EXPOSED_HEADERS, Vary: 'Origin', 'Access-Control-Allow-Origin': origin }
    : { Vary: 'Origin' };
}

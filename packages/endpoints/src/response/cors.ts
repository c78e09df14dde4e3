import type { Request } from 'firebase-functions/https';
import { allowedOrigins } from '../declaration/parameters.ts';

type Headers = Readonly<Record<string, string>>;

/** Maximum length of `Access-Control-Request-Headers` that the response repeats. */
const MAX_REQUESTED_HEADERS_LENGTH = 1_000;
/** Matches the name of a header (https://www.rfc-editor.org/rfc/rfc9110#name-tokens). */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const EXPOSED_HEADERS: Headers = {
  'Access-Control-Expose-Headers':
    'Allow,ETag,RateLimit,RateLimit-Policy,Retry-After,WWW-Authenticate,X-Error-Code,X-Request-Id',
};

/**
 * Builds the CORS headers of a preflight response. They allow every requested header, for example the
 * headers of tracing tools. That is safe, because browsers never add an `Authorization` header on
 * their own.
 */
export function buildPreflightHeaders({ headers }: Request): Headers {
  const requestedHeaders = headers['access-control-request-headers'] ?? '';
  const isWellFormed =
    requestedHeaders.length <= MAX_REQUESTED_HEADERS_LENGTH &&
    requestedHeaders.split(',').every((name) => HEADER_NAME.test(name.trim()));
  return {
    // Every method of the API is allowed here. Otherwise a browser would block a wrong request and
    // hide our 404 or 405.
    'Access-Control-Allow-Methods': 'GET,HEAD,POST,PUT,DELETE',
    'Access-Control-Allow-Headers': isWellFormed
      ? requestedHeaders
      : 'Authorization,Content-Type,Idempotency-Key,If-None-Match,X-Firebase-AppCheck',
    // The maximum age of the response in the browser's cache, in seconds.
    'Access-Control-Max-Age': '3600',
    Vary: 'Access-Control-Request-Headers',
  };
}

/** Builds the headers that let pages of allowed origins read a response (https://fetch.spec.whatwg.org/#http-cors-protocol). */
export function buildCorsHeaders({ headers: { origin } }: Request): Headers {
  const origins = allowedOrigins.value().split(/ *, */);
  if (origins.includes('*')) return { ...EXPOSED_HEADERS, 'Access-Control-Allow-Origin': '*' };
  return origin !== undefined && origins.includes(origin)
    ? { ...EXPOSED_HEADERS, Vary: 'Origin', 'Access-Control-Allow-Origin': origin }
    : { Vary: 'Origin' };
}

import type { Request } from 'firebase-functions/https';
import { allowedOrigins } from '../parameters.ts';

/** All methods of the API, so that a page can read the 404 or 405 for a mistyped request. */
const METHODS = 'GET,HEAD,POST,PUT,DELETE';
const REQUEST_HEADERS = 'Authorization,Content-Type,If-None-Match,X-Firebase-AppCheck';
const RESPONSE_HEADERS =
  'Allow,Deprecation,ETag,RateLimit,RateLimit-Policy,Retry-After,Sunset,WWW-Authenticate,X-Error-Code,X-Request-Id';
/** How long a browser may cache the result of a preflight, in seconds. */
const PREFLIGHT_SECONDS = '3600';

type Headers = Readonly<Record<string, string>>;

/** Headers that let pages of allowed origins read a response (https://fetch.spec.whatwg.org/#http-cors-protocol). */
export function corsHeaders({ headers }: Request): Headers {
  const origins = allowedOrigins
    .value()
    .split(',')
    .map((each) => each.trim());
  if (origins.includes('*')) return ANY_ORIGIN;
  const { origin } = headers;
  return origin !== undefined && origins.includes(origin)
    ? { ...EXPOSED, Vary: 'Origin', 'Access-Control-Allow-Origin': origin }
    : { Vary: 'Origin' };
}

/** Additional headers of the response to a preflight. */
export const PREFLIGHT_HEADERS: Headers = {
  'Access-Control-Allow-Methods': METHODS,
  'Access-Control-Allow-Headers': REQUEST_HEADERS,
  'Access-Control-Max-Age': PREFLIGHT_SECONDS,
};

const EXPOSED: Headers = { 'Access-Control-Expose-Headers': RESPONSE_HEADERS };
const ANY_ORIGIN: Headers = { ...EXPOSED, 'Access-Control-Allow-Origin': '*' };

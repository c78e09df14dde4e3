import type { Request } from 'firebase-functions/https';
import { allowedOrigins } from '../parameters.ts';

/** Every method of the API: a page gets to read the 404 or the 405 that a mistyped request is answered with. */
const METHODS = 'GET,HEAD,POST,PUT,DELETE';
const REQUEST_HEADERS = 'Authorization,Content-Type,If-None-Match,X-Firebase-AppCheck';
const RESPONSE_HEADERS =
  'Allow,Deprecation,ETag,RateLimit,RateLimit-Policy,Retry-After,Sunset,WWW-Authenticate,X-Request-Id';
/** For how long a browser remembers the answer to a preflight, in seconds. */
const PREFLIGHT_SECONDS = '3600';

type Headers = Readonly<Record<string, string>>;

/** The headers by which a browser lets the pages of allowed origins read a response (https://fetch.spec.whatwg.org/#http-cors-protocol). */
export function corsHeaders({ headers }: Request): Headers {
  const origins = allowedOrigins.value();
  if (origins === '*') return ANY_ORIGIN;
  const { origin } = headers;
  return origin !== undefined && origins.includes(origin)
    ? { ...EXPOSED, Vary: 'Origin', 'Access-Control-Allow-Origin': origin }
    : { Vary: 'Origin' };
}

/** What a preflight is told beside that. */
export const PREFLIGHT_HEADERS: Headers = {
  'Access-Control-Allow-Methods': METHODS,
  'Access-Control-Allow-Headers': REQUEST_HEADERS,
  'Access-Control-Max-Age': PREFLIGHT_SECONDS,
};

const EXPOSED: Headers = { 'Access-Control-Expose-Headers': RESPONSE_HEADERS };
const ANY_ORIGIN: Headers = { ...EXPOSED, 'Access-Control-Allow-Origin': '*' };

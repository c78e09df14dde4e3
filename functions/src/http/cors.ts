import type { Request } from 'firebase-functions/https';
import { allowedOrigins } from '../parameters.ts';

type Headers = Readonly<Record<string, string>>;

/** Additional headers of the response to a preflight. */
export const PREFLIGHT_HEADERS: Headers = {
  // All methods of the API: browsers hide the 404 or 405 for a mistyped request if its method is not allowed here.
  'Access-Control-Allow-Methods': 'GET,HEAD,POST,PUT,DELETE',
  'Access-Control-Allow-Headers': 'Authorization,Content-Type,If-None-Match,X-Firebase-AppCheck',
  // How long a browser may cache it, in seconds.
  'Access-Control-Max-Age': '3600',
};

const EXPOSED: Headers = {
  'Access-Control-Expose-Headers':
    'Allow,Deprecation,ETag,RateLimit,RateLimit-Policy,Retry-After,Sunset,WWW-Authenticate,X-Error-Code,X-Request-Id',
};

/** Headers that let pages of allowed origins read a response (https://fetch.spec.whatwg.org/#http-cors-protocol). */
export function corsHeaders({ headers: { origin } }: Request): Headers {
  const allowed = allowedOrigins.value().split(/ *, */);
  if (allowed.includes('*')) return { ...EXPOSED, 'Access-Control-Allow-Origin': '*' };
  return origin !== undefined && allowed.includes(origin)
    ? { ...EXPOSED, Vary: 'Origin', 'Access-Control-Allow-Origin': origin }
    : { Vary: 'Origin' };
}

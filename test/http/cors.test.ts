import type { Request } from 'firebase-functions/https';
import { allowedOrigins } from '../../functions/src/parameters.ts';
import { corsHeaders, PREFLIGHT_HEADERS } from '../../functions/src/http/cors.ts';

const OURS = 'https://app.example.com';
const EXPOSED =
  'Allow,Deprecation,ETag,RateLimit,RateLimit-Policy,Retry-After,Sunset,WWW-Authenticate,X-Error-Code,X-Request-Id';

/** The headers of a response to a page of an origin. */
function headersFor(allowed: string, origin?: string): Readonly<Record<string, string>> {
  jest.spyOn(allowedOrigins, 'value').mockReturnValue(allowed);
  return corsHeaders({ headers: { origin } } as unknown as Request);
}

test.each([undefined, OURS, 'https://evil.example', 'null'])('* allows the origin %s', (origin) => {
  expect(headersFor('*', origin)).toEqual({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': EXPOSED,
  });
});

test('a list allows a listed origin, and names only that one', () => {
  expect(headersFor(`${OURS}, https://www.example.com`, OURS)).toEqual({
    Vary: 'Origin',
    'Access-Control-Allow-Origin': OURS,
    'Access-Control-Expose-Headers': EXPOSED,
  });
});

test.each([
  ...[undefined, '', '*', 'null', 'file://', 'https://evil.example', 'https://evilapp.example.com'],
  ...['http://app.example.com', 'https://APP.example.com'],
  ...['.evil.example', ':8443', '/'].map((end) => `${OURS}${end}`),
])('a list does not allow the origin %s, and adds Vary: Origin', (origin) => {
  expect(headersFor(`${OURS}, https://www.example.com`, origin)).toEqual({ Vary: 'Origin' });
});

test('a preflight response allows every method and request header of the API', () => {
  expect(PREFLIGHT_HEADERS).toEqual({
    'Access-Control-Allow-Methods': 'GET,HEAD,POST,PUT,DELETE',
    'Access-Control-Allow-Headers': 'Authorization,Content-Type,If-None-Match,X-Firebase-AppCheck',
    'Access-Control-Max-Age': '3600',
  });
});

import type { Request } from 'firebase-functions/https';
import { allowedOrigins } from '../parameters.ts';
import { buildCorsHeaders, buildPreflightHeaders } from './cors.ts';

const OURS = 'https://app.example.com';
const EXPOSED =
  'Allow,ETag,RateLimit,RateLimit-Policy,Retry-After,WWW-Authenticate,X-Error-Code,X-Request-Id';

/** The headers of a response to a page of an origin. */
function headersFor(allowed: string, origin?: string): Readonly<Record<string, string>> {
  jest.spyOn(allowedOrigins, 'value').mockReturnValue(allowed);
  return buildCorsHeaders({ headers: { origin } } as unknown as Request);
}

test.each([undefined, OURS, 'https://evil.example', 'null'])('* allows the origin %s', (origin) => {
  expect(headersFor('*', origin)).toEqual({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': EXPOSED,
  });
});

test.each([OURS, 'capacitor://localhost', 'null'])(
  'a list allows the listed origin %s, and names only that one',
  (origin) => {
    expect(headersFor(`${OURS}, capacitor://localhost,null`, origin)).toEqual({
      Vary: 'Origin',
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': EXPOSED,
    });
  },
);

test.each([
  undefined,
  '',
  '*',
  'null',
  'file://',
  'https://evil.example',
  'https://evilapp.example.com',
  'http://app.example.com',
  'https://APP.example.com',
  ...['.evil.example', ':8443', '/'].map((end) => `${OURS}${end}`),
])('a list does not allow the origin %s, and adds Vary: Origin', (origin) => {
  expect(headersFor(`${OURS}, https://www.example.com`, origin)).toEqual({ Vary: 'Origin' });
});

const FIXED = 'Authorization,Content-Type,Idempotency-Key,If-None-Match,X-Firebase-AppCheck';
const LONGEST = `traceparent,${'x'.repeat(1_000 - 'traceparent,'.length)}`;

test.each<[requested: string | undefined, allowed: string]>([
  ['authorization, sentry-trace,traceparent', 'authorization, sentry-trace,traceparent'],
  [LONGEST, LONGEST],
  [`${LONGEST}x`, FIXED],
  ...[undefined, '', 'a,', 'a b', 'a:b', 'a\u00e9'].map(
    (requested): [string | undefined, string] => [requested, FIXED],
  ),
])('a preflight for the headers %j allows %j, and every method', (requested, allowed) => {
  const headers = { 'access-control-request-headers': requested };

  expect(buildPreflightHeaders({ headers } as unknown as Request)).toEqual({
    'Access-Control-Allow-Methods': 'GET,HEAD,POST,PUT,DELETE',
    'Access-Control-Allow-Headers': allowed,
    'Access-Control-Max-Age': '3600',
    Vary: 'Access-Control-Request-Headers',
  });
});

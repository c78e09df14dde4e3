import type { Request } from 'firebase-functions/https';
import { allowedOrigins } from '../declaration/parameters.ts';
import { buildCorsHeaders, buildPreflightHeaders } from './cors.ts';

const ALLOWED_ORIGIN = 'https://app.example.com';
const EXPOSED_HEADERS =
  'Allow,ETag,RateLimit,RateLimit-Policy,Retry-After,WWW-Authenticate,X-Error-Code,X-Request-Id';

/** Returns the CORS headers for a page of this origin while ALLOWED_ORIGINS has this value. */
function getCorsHeaders(allowed: string, origin?: string): Readonly<Record<string, string>> {
  jest.spyOn(allowedOrigins, 'value').mockReturnValue(allowed);
  return buildCorsHeaders({ headers: { origin } } as unknown as Request);
}

test.each([undefined, ALLOWED_ORIGIN, 'https://evil.example', 'null'])(
  '* allows the origin %s',
  (origin) => {
    expect(getCorsHeaders('*', origin)).toEqual({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': EXPOSED_HEADERS,
    });
  },
);

test.each([ALLOWED_ORIGIN, 'capacitor://localhost', 'null'])(
  'a list allows the listed origin %s, and the response names only that origin',
  (origin) => {
    expect(getCorsHeaders(`${ALLOWED_ORIGIN}, capacitor://localhost,null`, origin)).toEqual({
      Vary: 'Origin',
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': EXPOSED_HEADERS,
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
  'https://app.example.com.evil.example',
  'https://app.example.com:8443',
  'https://app.example.com/',
])('a list does not allow the origin %s, and adds Vary: Origin', (origin) => {
  const headers = getCorsHeaders(`${ALLOWED_ORIGIN}, https://www.example.com`, origin);

  expect(headers).toEqual({ Vary: 'Origin' });
});

const DEFAULT_HEADERS =
  'Authorization,Content-Type,Idempotency-Key,If-None-Match,X-Firebase-AppCheck';
/** The longest list of requested headers that is allowed: 1000 characters. */
const LONGEST_LIST = `traceparent,${'x'.repeat(1_000 - 'traceparent,'.length)}`;

/** Returns the headers of the response to a preflight that requests these headers. */
function getPreflightHeaders(requested: string | undefined) {
  const headers = { 'access-control-request-headers': requested };
  return buildPreflightHeaders({ headers } as unknown as Request);
}

test.each([
  { name: 'three headers', requested: 'authorization, sentry-trace,traceparent' },
  { name: 'headers of 1000 characters', requested: LONGEST_LIST },
])('a preflight allows $name as requested, and every method', ({ requested }) => {
  expect(getPreflightHeaders(requested)).toEqual({
    'Access-Control-Allow-Methods': 'GET,HEAD,POST,PUT,DELETE',
    'Access-Control-Allow-Headers': requested,
    'Access-Control-Max-Age': '3600',
    Vary: 'Access-Control-Request-Headers',
  });
});

test.each([
  { name: 'no headers are requested', requested: undefined },
  { name: 'the list of headers is empty', requested: '' },
  { name: 'the list ends with a comma', requested: 'a,' },
  { name: 'a name has a space', requested: 'a b' },
  { name: 'a name has a colon', requested: 'a:b' },
  { name: 'a name is not ASCII', requested: 'a\u00e9' },
  { name: 'the list has more than 1000 characters', requested: `${LONGEST_LIST}x` },
])('a preflight allows the headers of the API if $name', ({ requested }) => {
  expect(getPreflightHeaders(requested)['Access-Control-Allow-Headers']).toBe(DEFAULT_HEADERS);
});

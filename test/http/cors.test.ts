import type { Request } from 'firebase-functions/https';
import { corsHeaders, PREFLIGHT_HEADERS } from '../../functions/src/http/cors.ts';

const OURS = 'https://app.example.com';
const EXPOSED =
  'Allow,Deprecation,ETag,RateLimit,RateLimit-Policy,Retry-After,Sunset,WWW-Authenticate,X-Error-Code,X-Request-Id';

function headersFor(origin?: string): Readonly<Record<string, string>> {
  return corsHeaders({ headers: { origin } } as unknown as Request);
}

test.each([undefined, OURS, 'https://evil.example', 'null'])(
  'allows every origin if the parameter is *: %s',
  (origin) => {
    process.env.ALLOWED_ORIGINS = '*';

    expect(headersFor(origin)).toEqual({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': EXPOSED,
    });
  },
);

describe('with a list of allowed origins', () => {
  beforeEach(() => {
    process.env.ALLOWED_ORIGINS = `${OURS}, https://www.example.com`;
  });

  test('allows a listed origin, and names only that one', () => {
    expect(headersFor(OURS)).toEqual({
      Vary: 'Origin',
      'Access-Control-Allow-Origin': OURS,
      'Access-Control-Expose-Headers': EXPOSED,
    });
  });

  test.each([
    undefined,
    '',
    '*',
    'null',
    'https://evil.example',
    `${OURS}.evil.example`,
    'https://evilapp.example.com',
    `${OURS}:8443`,
    'http://app.example.com',
    'https://APP.example.com',
    'file://',
    `${OURS}/`,
  ])('does not allow other origins, and adds Vary: Origin: %s', (origin) => {
    expect(headersFor(origin)).toEqual({ Vary: 'Origin' });
  });
});

test('a preflight response allows every method and request header of the API', () => {
  expect(PREFLIGHT_HEADERS).toEqual({
    'Access-Control-Allow-Methods': 'GET,HEAD,POST,PUT,DELETE',
    'Access-Control-Allow-Headers': 'Authorization,Content-Type,If-None-Match,X-Firebase-AppCheck',
    'Access-Control-Max-Age': '3600',
  });
});

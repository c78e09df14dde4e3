import type { RawResponse } from './rawRequest.ts';
import { serviceRequest } from './serviceRequest.ts';
import { testStack } from './stack.ts';

/** Expects an error response: only `{message}`, not cacheable, and without details of the server. */
export function expectError(response: RawResponse, status: number, message: string | RegExp): void {
  expect(response.status).toBe(status);
  const expected: unknown = message instanceof RegExp ? expect.stringMatching(message) : message;
  expect(JSON.parse(response.text)).toEqual({ message: expected });
  expect(response.headers).toMatchObject({
    'content-type': expect.stringMatching(/^application\/json/) as string,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/) as string,
    'access-control-allow-origin': '*',
  });
}

/** Tests for every public read; `path` is one that returns 200. */
export function respondsAsPublicEndpoint(functionName: string, path: string): void {
  const { baseAddress, functionsAddress } = testStack();
  const hosting = new URL(baseAddress);
  const own = new URL(`${functionsAddress}/${functionName}`);

  async function viaHosting(
    options?: Parameters<typeof serviceRequest>[2],
    at = path,
  ): Promise<RawResponse> {
    return serviceRequest(hosting, at, options);
  }

  test('returns the same at the function’s own URL, with and without /api', async () => {
    const expected = await viaHosting();
    const responses = await Promise.all(
      ['', '/api'].map((prefix) => serviceRequest(own, `${prefix}${path}`)),
    );

    expect(expected.status).toBe(200);
    expect(responses.map(({ status, text }) => ({ status, text }))).toEqual(
      Array.from({ length: 2 }, () => ({ status: 200, text: expected.text })),
    );
  });

  test.each(['Bearer nonsense', 'Basic YTpi', ''])(
    'needs no token and ignores “%s”',
    async (authorization) => {
      const response = await viaHosting({ headers: { Authorization: authorization } });

      expect(response.status).toBe(200);
    },
  );

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])('refuses %s', async (method) => {
    const response = await viaHosting({
      method,
      headers: { 'Content-Type': 'application/json' },
      body: '{bad',
    });

    expectError(response, 405, 'This endpoint only accepts GET.');
    expect(response.headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  test('responds to HEAD as to GET, without a body', async () => {
    const [got, head] = await Promise.all([viaHosting(), viaHosting({ method: 'HEAD' })]);

    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers.etag).toBe(got.headers.etag);
  });

  test('allows pages of any origin', async () => {
    const headers = { Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'GET' };
    const [response, preflight] = await Promise.all([
      viaHosting({ headers }),
      viaHosting({ method: 'OPTIONS', headers }),
    ]);

    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(preflight).toMatchObject({ status: 204, text: '' });
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET,HEAD,POST,PUT,DELETE',
      'access-control-allow-headers':
        'Authorization,Content-Type,If-None-Match,X-Firebase-AppCheck',
    });
  });

  test('has an entity tag that leads to 304 while nothing has changed', async () => {
    const response = await viaHosting();
    const etag = response.headers.etag ?? '';
    const again = await viaHosting({ headers: { 'If-None-Match': etag } });

    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    expect(response.headers).toMatchObject({
      'cache-control': 'public, max-age=0, s-maxage=0',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/) as string,
    });
    expect(again).toMatchObject({ status: 304, text: '' });
  });

  test.each(['a=%', 'a=%zz', 'limit=%'])('refuses the malformed escape in ?%s', async (query) => {
    const response = await serviceRequest(own, `${path}?${query}`);

    expectError(response, 400, 'The query has a malformed percent-escape.');
  });

  if (!path.includes('artist-alice')) return;

  test.each(['a%2Fb', '__x__', 'a'.repeat(1501), '%zz', '%', '%E0%A4%A', 'x%ff'])(
    'refuses %s as the artist’s id',
    async (id) => {
      const response = await viaHosting({}, path.replace('artist-alice', id));

      expectError(response, 400, /^(id|artistId) must be an id/);
    },
  );

  test.each(['..', '.', '%2E', '%2e%2e', ''])(
    'returns 404 for the artist’s id “%s”, which URL resolution removes',
    async (id) => {
      const response = await viaHosting({}, path.replace('artist-alice', id));

      expectError(response, 404, 'There is no endpoint at this path.');
    },
  );
}

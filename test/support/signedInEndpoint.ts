import { administer, signedIn } from './accounts.ts';
import { encoded, idTokenClaims, unsignedToken } from '../emulator/google/idTokens.ts';
import { expectError } from './publicEndpoint.ts';
import type { RawResponse } from './rawRequest.ts';
import { serviceRequest } from './serviceRequest.ts';
import { testStack } from './stack.ts';

/** A valid request without a token. */
export interface SignedInRequest {
  readonly functionId: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path, with a query if the endpoint needs one. */
  readonly path: string;
  /** The body, if the endpoint needs one. */
  readonly body?: object;
}

const SIGN_IN =
  'Sign in first: the Authorization header must be "Bearer" followed by a Firebase ID token.';
const BAD_TOKEN = 'The ID token is invalid or expired. Sign in again.';

/** Tests for every endpoint that requires callers to be signed in. */
export function requiresSignIn({ functionId, method, path, body }: SignedInRequest): void {
  const { baseAddress, functionsAddress, projectId } = testStack();
  const hosting = new URL(baseAddress);
  const own = new URL(`${functionsAddress}/${functionId}`);
  const json = { 'Content-Type': 'application/json' };

  async function send(
    headers: Readonly<Record<string, string>>,
    sent: { method?: string; path?: string; body?: string; to?: URL } = {},
  ): Promise<RawResponse> {
    const text = sent.body ?? (body && JSON.stringify(body));
    const at = sent.path ?? path;
    return serviceRequest(sent.to ?? hosting, at, {
      // A function responds at the root of its own address like at its path.
      documentedAs: /^\/(\?|$)/.test(at) ? path : at,
      method: sent.method ?? method,
      headers: { ...json, ...headers },
      ...(text !== undefined && { body: text }),
    });
  }

  function expectUnauthenticated(response: RawResponse, message: string): void {
    expectError(response, 401, message);
    expect(response.headers['www-authenticate']).toBe('Bearer');
  }

  test('refuses a request without a bearer token', async () => {
    const headers = ['', 'Bearer', 'Bearer ', 'Basic YTpi', 'Bearer a b', 'Bearer a,b', 'token'];

    expectUnauthenticated(await send({}), SIGN_IN);
    for (const Authorization of headers) {
      expectUnauthenticated(await send({ Authorization }), SIGN_IN);
    }
  });

  test('refuses every kind of invalid token', async () => {
    const { uid } = await signedIn();
    const claims = idTokenClaims(projectId, uid);
    const header = { alg: 'none', typ: 'JWT' };
    const tokens = [
      'nonsense',
      'a.b.c',
      '..',
      unsignedToken(null),
      unsignedToken('text'),
      unsignedToken([]),
      `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${Buffer.from('{').toString('base64url')}.`,
      unsignedToken({ ...claims, exp: 1 }),
      unsignedToken({ ...claims, aud: 'demo-another' }),
      unsignedToken({ ...claims, iss: 'https://securetoken.google.com/demo-another' }),
      unsignedToken({ ...claims, sub: undefined }),
      unsignedToken({ ...claims, sub: '' }),
      unsignedToken({ ...claims, sub: 'a/b' }),
      unsignedToken({ ...claims, sub: 'x'.repeat(200) }),
      unsignedToken({ ...claims, sub: 'nobody' }),
      `${encoded({ alg: 'RS256', kid: 'a', typ: 'JWT' }, claims)}.c2lnbmF0dXJl`,
    ];

    for (const token of tokens) {
      expectUnauthenticated(await send({ Authorization: `Bearer ${token}` }), BAD_TOKEN);
    }
  });

  test('refuses an account that was deleted, disabled, or signed out everywhere', async () => {
    const [deleted, disabled, revoked] = await Promise.all([signedIn(), signedIn(), signedIn()]);
    const later = Math.floor(Date.now() / 1000) + 60;
    await administer('delete', { localId: deleted.uid });
    await administer('update', { localId: disabled.uid, disableUser: true });
    await administer('update', { localId: revoked.uid, validSince: String(later) });

    for (const { token } of [deleted, disabled, revoked]) {
      expectUnauthenticated(await send({ Authorization: `Bearer ${token}` }), BAD_TOKEN);
    }
  });

  test('returns the same at the function’s own URL, with and without /api', async () => {
    const { token } = await signedIn();
    const query = path.replace(/^[^?]*/, '');
    for (const headers of [{}, { Authorization: `Bearer ${token}` }]) {
      const { status, text } = await send(headers);

      for (const at of [path, `/api${path}`, `/${query}`]) {
        expect(await send(headers, { to: own, path: at })).toMatchObject({ status, text });
      }
    }
  });

  test('checks the path and the method before the token', async () => {
    const elsewhere = await send({}, { to: own, path: '/nothing' });
    const other = method === 'PUT' ? 'POST' : 'PUT';
    const otherwise = await send({}, { method: other });

    expectError(elsewhere, 404, 'There is no endpoint at this path.');
    expectError(otherwise, 405, `This endpoint only accepts ${method}.`);
    expect(otherwise.headers.allow).toBe(
      method === 'GET' ? 'GET, HEAD, OPTIONS' : `${method}, OPTIONS`,
    );
  });

  test('checks the token before the body and the query', async () => {
    const response = await send(
      { 'Content-Type': 'text/plain' },
      { path: `${path.replace(/\?.*/, '')}?limit=abc`, body: '{bad' },
    );

    expectUnauthenticated(response, SIGN_IN);
  });

  test('allows tokens and JSON in a preflight response', async () => {
    const response = await send(
      { Origin: 'https://app.example.com', 'Access-Control-Request-Method': method },
      { method: 'OPTIONS', body: '' },
    );

    expect(response.status).toBe(204);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET,HEAD,POST,PUT,DELETE',
      'access-control-allow-headers':
        'Authorization,Content-Type,If-None-Match,X-Firebase-AppCheck',
    });
  });

  if (body === undefined) return;

  test('refuses a body that is missing, not JSON or not an object', async () => {
    const { token } = await signedIn();
    const Authorization = `Bearer ${token}`;
    const sent = (text: string, headers = {}) =>
      send({ Authorization, ...headers }, { body: text });

    expectError(await sent(''), 400, 'A JSON body is required.');
    for (const text of ['{', 'a=b', '{}{}']) {
      expectError(await sent(text), 400, 'The body is not valid JSON.');
    }
    for (const text of ['null', '1', '"a"', '[]']) {
      expectError(await sent(text), 400, 'The body must be an object.');
    }
    expectError(
      await sent('{}', { 'Content-Type': 'text/plain' }),
      415,
      'The Content-Type must be application/json, in UTF-8.',
    );
    expectError(
      await sent(`{"padding":"${'x'.repeat(1024 * 1024)}"}`),
      413,
      'The body must not be larger than 1 MiB.',
    );
  });

  test('names each missing field', async () => {
    const { token } = await signedIn();
    const optional = ['effectiveUntil', 'rollingDays'];
    for (const field of Object.keys(body).filter((name) => !optional.includes(name))) {
      const response = await send(
        { Authorization: `Bearer ${token}` },
        { body: JSON.stringify({ ...body, [field]: undefined }) },
      );

      expectError(response, 400, `${field} is required.`);
    }
  });
}

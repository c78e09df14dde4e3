/** Checks that are the same for every endpoint. */
import * as z from 'zod';
import { encoded, idTokenClaims, unsignedToken } from '../emulator/google/idTokens.ts';
import { deployedEndpoints } from '../support/deployMap.ts';
import { exampleRequest, storeExampleWorld } from '../support/exampleRequests.ts';
import { inProcessService } from '../support/inProcessService.ts';
import { expectError } from '../support/expectError.ts';
import type { RawResponse } from '../support/rawRequest.ts';

const SIGN_IN =
  'Sign in first: the Authorization header must be "Bearer" followed by a Firebase ID token.';
const BAD_TOKEN = 'The ID token is invalid or expired. Sign in again.';

const ALICE = { uid: 'alice', prefix: 'thing' };
const service = inProcessService();

beforeAll(() => storeExampleWorld(service.store, ALICE));

const all = deployedEndpoints.map(({ functionId, endpoint }) => ({
  functionId,
  ...endpoint.declaration,
}));

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends the example request of a function with changes, and only these headers. */
async function send(functionId: string, { path, ...changed }: Sent): Promise<RawResponse> {
  const own = exampleRequest(functionId, ALICE, service.tokenOf(ALICE.uid));
  const at = path ?? own.path;
  return service.send(functionId, at, {
    documentedAs: /^\/(\?|$)/.test(at) ? own.path : at,
    method: own.method,
    headers: { 'Content-Type': 'application/json' },
    ...(own.body !== undefined && { body: own.body }),
    ...changed,
  });
}

function pathOf(functionId: string): string {
  return exampleRequest(functionId, ALICE, '').path;
}

function bearer(token: string): Readonly<Record<string, string>> {
  return { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
}

function expectUnauthenticated(response: RawResponse, message: string): void {
  expectError(response, 401, message);
  expect(response.headers['www-authenticate']).toBe('Bearer');
}

describe.each(all)('$functionId', ({ functionId, method, access }) => {
  test('checks the path and the method first', async () => {
    const elsewhere = await send(functionId, { path: '/nothing' });
    expectError(elsewhere, 404, 'There is no endpoint at this path.');

    const allowed = method === 'GET' ? ['GET', 'HEAD', 'OPTIONS'] : [method, 'OPTIONS'];
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY'];
    for (const other of others.filter((name) => !allowed.includes(name))) {
      const otherwise = await send(functionId, { method: other, body: '{bad' });

      expectError(otherwise, 405, `This endpoint only accepts ${method}.`);
      expect(otherwise.headers.allow).toBe(allowed.join(', '));
    }
    const { status } = await send(functionId, { method: 'HEAD' });
    expect([200, 401].includes(status)).toBe(method === 'GET');
  });

  test('responds the same with and without /api, and at the root if it has no path parameter', async () => {
    const path = pathOf(functionId);
    const roots = path.includes('/artist/') ? [] : [path.replace(/^[^?]*/, '/')];
    const headers = access === 'public' ? {} : { 'Content-Type': 'application/json' };
    const { status, text } = await send(functionId, { headers });

    expect(status).toBe(access === 'public' ? 200 : 401);
    for (const at of [`/api${path}`, ...roots]) {
      expect(await send(functionId, { headers, path: at })).toMatchObject({ status, text });
    }
  });

  test('allows pages of any origin to send tokens and JSON', async () => {
    const headers = { Origin: 'https://app.example.com', 'Access-Control-Request-Method': method };
    const preflight = await send(functionId, { method: 'OPTIONS', headers, body: '' });
    const response = await send(functionId, { headers });

    expect(preflight).toMatchObject({ status: 204, text: '' });
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET,HEAD,POST,PUT,DELETE',
      'access-control-allow-headers':
        'Authorization,Content-Type,If-None-Match,X-Firebase-AppCheck',
    });
    expect(response.headers['access-control-allow-origin']).toBe('*');
  });
});

describe.each(all.filter(({ access }) => access === 'signedIn'))('$functionId', (endpoint) => {
  const { functionId, body } = endpoint;

  test('refuses a request without a bearer token', async () => {
    expectUnauthenticated(await send(functionId, {}), SIGN_IN);
    for (const Authorization of ['', 'Bearer', 'Bearer ', 'Basic YTpi', 'Bearer a b', 'token']) {
      expectUnauthenticated(await send(functionId, { headers: { Authorization } }), SIGN_IN);
    }
  });

  test('refuses every kind of invalid token', async () => {
    const claims = idTokenClaims(service.projectId, ALICE.uid);
    const tokens = [
      'nonsense',
      'a.b.c',
      '..',
      unsignedToken(claims),
      `${encoded({ alg: 'RS256', kid: 'a', typ: 'JWT' }, claims)}.c2lnbmF0dXJl`,
      ...[
        null,
        'text',
        [],
        { ...claims, exp: 1 },
        { ...claims, aud: 'demo-another' },
        { ...claims, iss: 'https://securetoken.google.com/demo-another' },
        { ...claims, sub: undefined },
        ...['', '.', '..', 'a/b', '__x__', 'x'.repeat(200)].map((sub) => ({ ...claims, sub })),
      ].map((wrong) => service.tokenWith(wrong)),
    ];
    // Google's keys are cached, so a failure is the fault of the token.
    const { status } = await send(functionId, { headers: bearer(service.tokenOf('nobody')) });
    expect(status).not.toBe(401);

    for (const token of tokens) {
      expectUnauthenticated(await send(functionId, { headers: bearer(token) }), BAD_TOKEN);
    }
  });

  test('checks the token before the body and the query', async () => {
    const response = await send(functionId, {
      path: `${pathOf(functionId).replace(/\?.*/, '')}?limit=abc`,
      headers: { 'Content-Type': 'text/plain' },
      body: '{bad',
    });

    expectUnauthenticated(response, SIGN_IN);
  });

  if (body === undefined) return;

  test('refuses a body that is missing, not JSON or not an object', async () => {
    const headers = bearer(service.tokenOf(ALICE.uid));
    const sendBody = (text: string) => send(functionId, { headers, body: text });

    expectError(await sendBody(''), 400, 'A JSON body is required.');
    for (const text of ['{', 'a=b', '{}{}']) {
      expectError(await sendBody(text), 400, 'The body is not valid JSON.');
    }
    for (const text of ['null', '1', '"a"', '[]']) {
      expectError(await sendBody(text), 400, 'The body must be an object.');
    }
    expectError(
      await send(functionId, { headers: { ...headers, 'Content-Type': 'text/plain' }, body: '{}' }),
      415,
      'The Content-Type must be application/json, in UTF-8.',
    );
    expectError(
      await sendBody(`{"padding":"${'x'.repeat(1024 * 1024)}"}`),
      413,
      'The body must not be larger than 1 MiB.',
    );
  });

  const required = Object.entries(body.shape)
    .filter(([, field]) => !z.safeParse(field, undefined).success)
    .map(([name]) => name);

  test.each(required)('names the missing field %s', async (field) => {
    const { body: text = '{}' } = exampleRequest(functionId, ALICE, '');
    const sent = { ...(JSON.parse(text) as object), [field]: undefined };

    const response = await send(functionId, {
      headers: bearer(service.tokenOf(ALICE.uid)),
      body: JSON.stringify(sent),
    });

    expectError(response, 400, `${field} is required.`);
  });
});

describe.each(all.filter(({ access }) => access === 'public'))('$functionId', (endpoint) => {
  const { functionId, path, params } = endpoint;

  test.each(['Bearer nonsense', 'Basic YTpi', ''])(
    'needs no token and ignores “%s”',
    async (Authorization) => {
      expect((await send(functionId, { headers: { Authorization } })).status).toBe(200);
    },
  );

  test('responds to HEAD as to GET without a body, and with 304 while nothing has changed', async () => {
    const got = await send(functionId, {});
    const head = await send(functionId, { method: 'HEAD' });
    const etag = got.headers.etag ?? '';
    const again = await send(functionId, { headers: { 'If-None-Match': etag } });

    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    expect(got.headers).toMatchObject({
      'cache-control': 'public, max-age=0, s-maxage=0',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/) as string,
    });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers.etag).toBe(etag);
    expect(again).toMatchObject({ status: 304, text: '' });
  });

  if (params === undefined) return;

  test.each(['a%2Fb', '__x__', 'a'.repeat(1501), '..', '.'])(
    'refuses %s as an id in its path',
    async (id) => {
      const response = await send(functionId, { path: path.replace(/\{\w+\}/, id) });

      expectError(response, 400, /^(id|artistId) must be an id/);
    },
  );

  test.each(['%zz', '%', '%E0%A4%A', 'x%ff'])(
    'refuses the malformed escape %s in its path',
    async (id) => {
      const response = await send(functionId, { path: path.replace(/\{\w+\}/, id) });

      expectError(response, 400, 'The path has a malformed percent-escape.');
    },
  );
});

/**
 * What every endpoint refuses and accepts, derived from the declarations. A refusal reads and changes nothing, except
 * where it depends on what is stored. Kinds of tokens are the subject of test/auth, bodies and paths that of test/http.
 */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { idTokenClaims, unsignedToken } from '../emulator/google/idTokens.ts';
import { deployedEndpoints, type DeployedEndpoint } from '../support/deployMap.ts';
import { exampleRequest, storeExampleWorld } from '../support/exampleRequests.ts';
import { inProcessService } from '../support/inProcessService.ts';
import type { RawResponse } from '../support/rawRequest.ts';

const SIGN_IN =
  'Sign in first: the Authorization header must be "Bearer" followed by a Firebase ID token.';
const BAD_TOKEN = 'The ID token is invalid or expired. Sign in again.';
const NOT_JSON = 'The body is not valid JSON.';
const NO_OBJECT = 'The body must be an object.';

const ALICE = { uid: 'alice', prefix: 'thing' };
const MISSING = { uid: 'alice-without-documents', prefix: 'missing' };
const service = inProcessService();

beforeAll(() => storeExampleWorld(service.store, ALICE));

const named = deployedEndpoints.map((deployed) => [deployed.functionId, deployed] as const);

type Headers = Readonly<Record<string, string>>;

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Headers;
  readonly body?: string;
}

/** Sends the example request of a function with changes, and only these headers. */
async function send(functionId: string, sent: Sent, world = ALICE): Promise<RawResponse> {
  const own = exampleRequest(functionId, world, '');
  const at = sent.path ?? own.path;
  return service.send(functionId, at, {
    documentedAs: /^\/(\?|$)/.test(at) ? own.path : at,
    method: own.method,
    headers: { 'Content-Type': 'application/json' },
    ...(own.body !== undefined && { body: own.body }),
    ...sent,
  });
}

function bearer(token: string): Headers {
  return { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
}

/** A request that is refused, with the expected status and message. */
type Refusal = readonly [what: string, sent: Sent, status: number, message: string | RegExp];

function ofAnyone({ endpoint }: DeployedEndpoint): Refusal[] {
  const { method, path, params } = endpoint.declaration;
  const allowed = method === 'GET' ? ['GET', 'HEAD'] : [method];
  const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY'];
  // No header takes the place of the method.
  const headers = { 'X-HTTP-Method-Override': method, 'X-Method-Override': method };
  const at = (id: string) => path.replace(/\{\w+\}/, id);
  return [
    ['another path', { path: '/nothing' }, 404, 'There is no endpoint at this path.'],
    ...others
      .filter((other) => !allowed.includes(other))
      .map((other): Refusal => {
        const sent = { method: other, headers, body: '{bad' };
        return [`the method ${other}`, sent, 405, `This endpoint only accepts ${method}.`];
      }),
    ...(params === undefined ? [] : ['a%2Fb', '__x__', 'a'.repeat(1501), '..', '.']).map(
      (id): Refusal => [`the id ${id}`, { path: at(id) }, 400, /^\w+ must be an id/],
    ),
    ...(params === undefined ? [] : ['%zz', '%', '%E0%A4%A', 'x%ff']).map((id): Refusal => {
      return [`the id ${id}`, { path: at(id) }, 400, 'The path has a malformed percent-escape.'];
    }),
    ...(params === undefined
      ? []
      : [['no id', { path: at('') }, 404, 'There is no endpoint at this path.'] as const]),
  ];
}

function ofStrangers({ functionId }: DeployedEndpoint): Refusal[] {
  const claims = idTokenClaims(service.projectId, ALICE.uid);
  const good = service.tokenOf(ALICE.uid);
  const [path = '', query = ''] = exampleRequest(functionId, ALICE, '').path.split('?');
  const headers: readonly Headers[] = [
    ...[
      '',
      'Bearer',
      'Bearer ',
      'Basic YTpi',
      'Bearer a b',
      'token',
      `Bearer ${good}, Bearer x`,
    ].map((Authorization) => ({ Authorization })),
    { Cookie: `__session=${good}` },
    { 'X-Authorization': `Bearer ${good}` },
    { 'X-Goog-Authenticated-User-Id': ALICE.uid },
  ];
  const tokens = [
    ...['nonsense', 'null', unsignedToken(claims)],
    service.tokenWith({ ...claims, exp: 1 }),
  ];
  return [
    ...headers.map((sent): Refusal => [JSON.stringify(sent), { headers: sent }, 401, SIGN_IN]),
    ['a token in the query', { path: `${path}?${query}&access_token=${good}` }, 401, SIGN_IN],
    // Before the body and the query.
    [
      'an invalid request',
      { path: `${path}?limit=abc`, headers: { 'Content-Type': 'text/plain' }, body: '{bad' },
      ...([401, SIGN_IN] as const),
    ],
    ...tokens.map((token): Refusal => [token, { headers: bearer(token) }, 401, BAD_TOKEN]),
  ];
}

function ofBodies({ functionId, endpoint }: DeployedEndpoint): Refusal[] {
  const { body } = endpoint.declaration;
  if (body === undefined) return [];
  const headers = bearer(service.tokenOf(ALICE.uid));
  const own = JSON.parse(exampleRequest(functionId, ALICE, '').body ?? '{}') as object;
  const required = Object.entries(body.shape)
    .filter(([, field]) => !z.safeParse(field, undefined).success)
    .map(([name]) => name);
  const large = `{"padding":"${'x'.repeat(1024 * 1024)}"}`;
  const asText = { ...headers, 'Content-Type': 'text/plain' };
  const onlyJson = 'The Content-Type must be application/json, in UTF-8.';
  return [
    ['no body', { headers, body: '' }, 400, 'A JSON body is required.'],
    ...['{', 'a=b', '{}{}'].map((text): Refusal => [text, { headers, body: text }, 400, NOT_JSON]),
    ...['null', '1', '[]'].map((text): Refusal => [text, { headers, body: text }, 400, NO_OBJECT]),
    ['another type', { headers: asText, body: '{}' }, 415, onlyJson],
    ['1 MiB', { headers, body: large }, 413, 'The body must not be larger than 1 MiB.'],
    ...required.map((name): Refusal => {
      const text = JSON.stringify({ ...own, [name]: undefined });
      return [`no ${name}`, { headers, body: text }, 400, `${name} is required.`];
    }),
  ];
}

function ofQueries({ functionId, endpoint }: DeployedEndpoint): Refusal[] {
  const { query } = endpoint.declaration;
  if (query === undefined || endpoint.declaration.body) return [];
  const [path = ''] = exampleRequest(functionId, ALICE, '').path.split('?');
  const sent = { path: `${path}?limit=0`, headers: bearer(service.tokenOf(ALICE.uid)) };
  return 'limit' in query.shape ? [['limit=0', sent, 400, /^limit must be an integer/]] : [];
}

/** The responses to a caller whose documents are missing, and to one who claims what Alice owns in every way. */
async function refusedByData({ functionId, endpoint }: DeployedEndpoint) {
  const { access, body, errors } = endpoint.declaration;
  const responses: [response: RawResponse, expected: number][] = [];
  if (access === 'signedIn' && errors['not-found'] !== undefined) {
    const headers = bearer(service.tokenOf(MISSING.uid));
    responses.push([await send(functionId, { headers }, MISSING), 404]);
  }
  if (errors['permission-denied'] !== undefined) {
    const names = ['ownerId', 'uid', 'userId', 'clientId', 'participantIds'];
    const claims = Object.fromEntries(names.map((name) => [name, 'bob']));
    const own = exampleRequest(functionId, ALICE, '');
    const and = own.path.includes('?') ? '&' : '?';
    const sent = {
      path: `${own.path}${and}${new URLSearchParams(claims).toString()}`,
      headers: { 'X-User-Id': ALICE.uid, ...bearer(service.tokenOf('bob')) },
      ...(body && {
        body: JSON.stringify({ ...(JSON.parse(own.body ?? '') as object), ...claims }),
      }),
    };
    responses.push([await send(functionId, sent), 403]);
  }
  return responses;
}

/** The error examples of an endpoint that a request can cause. */
function documentedErrors({ endpoint }: DeployedEndpoint): string[] {
  const { method, path } = endpoint.declaration;
  const { paths } = JSON.parse(readFileSync('public/openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, { responses: Record<string, DocumentedError> }>>;
  };
  const responses = Object.entries(paths[path]?.[method.toLowerCase()]?.responses ?? {});
  return responses.flatMap(([status, { content }]) => {
    const message = content?.['application/json'].example.message;
    const isCaused = status.startsWith('4') && !['406', '408', '429'].includes(status);
    // App Check is off here.
    return isCaused && message && !message.includes('App Check') ? [`${status} ${message}`] : [];
  });
}

interface DocumentedError {
  readonly content?: { readonly 'application/json': { readonly example: { message?: string } } };
}

test.each(named)('%s refuses what it must, as documented', async (functionId, deployed) => {
  const isPublic = deployed.endpoint.declaration.access === 'public';
  // Google's keys are cached, so that a failure is the fault of the token.
  if (!isPublic) await send(functionId, { headers: bearer(service.tokenOf('nobody')) });
  const seen = new Set<string>();
  const before = await service.store.usage();
  const refusals = [
    ...ofAnyone(deployed),
    ...(isPublic ? [] : ofStrangers(deployed)),
    ...ofBodies(deployed),
    ...ofQueries(deployed),
  ];
  for (const [what, sent, status, message] of refusals) {
    const response = await send(functionId, sent);
    const said = messageOf(response);
    const isExpected = typeof message === 'string' ? said === message : message.test(said);
    expect([what, response.status, isExpected ? message : said]).toEqual([what, status, message]);
    seen.add(`${status} ${said}`);
  }
  expect(await service.store.usage()).toEqual(before);

  for (const [response, status] of await refusedByData(deployed)) {
    expect(response.status).toBe(status);
    seen.add(`${status} ${messageOf(response)}`);
  }
  const { writes, deletes } = await service.store.usage();
  expect({ writes, deletes }).toEqual({ writes: before.writes, deletes: before.deletes });

  const neverSent = documentedErrors(deployed).filter((example) => !seen.has(example));
  const mend = 'mend test/openapi/errorExamples.ts, then run npm run openapi';
  const said = [...seen].join('\n');
  expect(
    neverSent.map((example) => `The service never says ${example}: ${mend}. It says\n${said}`),
  ).toEqual([]);
});

/** The message of an error response, which has all headers of one. */
function messageOf({ status, headers, text }: RawResponse): string {
  expect(headers).toMatchObject({
    'content-type': expect.stringMatching(/^application\/json/) as string,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/) as string,
    'access-control-allow-origin': '*',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(status === 405 && { allow: expect.stringMatching(/OPTIONS$/) as string }),
  });
  const { message, ...rest } = JSON.parse(text) as { message: string };
  expect(rest).toEqual({});
  return message;
}

test.each(named)('%s responds the same at each of its addresses', async (functionId, deployed) => {
  const { method, access, path } = deployed.endpoint.declaration;
  const own = exampleRequest(functionId, ALICE, '').path;
  const roots = path.includes('{') ? [] : [own.replace(/^[^?]*/, '/')];
  const { status, text } = await send(functionId, {});

  expect(status).toBe(access === 'public' ? 200 : 401);
  for (const at of [`/api${own}`, ...roots]) {
    expect(await send(functionId, { path: at })).toMatchObject({ status, text });
  }
  const head = await send(functionId, { method: 'HEAD' });
  expect(head).toMatchObject({ status: method === 'GET' ? status : 405, text: '' });
});

test.each(named)('%s allows pages of any origin to send tokens and JSON', async (...row) => {
  const [functionId, { endpoint }] = row;
  const { method } = endpoint.declaration;
  const headers = { Origin: 'https://app.example.com', 'Access-Control-Request-Method': method };
  const preflight = await send(functionId, { method: 'OPTIONS', headers, body: '' });

  expect(preflight).toMatchObject({ status: 204, text: '' });
  expect(preflight.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET,HEAD,POST,PUT,DELETE',
    'access-control-allow-headers': 'Authorization,Content-Type,If-None-Match,X-Firebase-AppCheck',
  });
  const response = await send(functionId, { headers });
  expect(response.headers['access-control-allow-origin']).toBe('*');
});

const isPublic = ({ endpoint }: DeployedEndpoint) => endpoint.declaration.access === 'public';

test.each(named.filter(([, deployed]) => isPublic(deployed)))(
  '%s needs no token, and returns 304 while nothing has changed',
  async (functionId) => {
    for (const Authorization of ['Bearer nonsense', 'Basic YTpi', '']) {
      expect((await send(functionId, { headers: { Authorization } })).status).toBe(200);
    }
    const { headers } = await send(functionId, {});
    const etag = headers.etag ?? '';

    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    expect(headers['cache-control']).toBe('public, max-age=0, s-maxage=0');
    for (const tag of [etag, '*']) {
      const again = await send(functionId, { headers: { 'If-None-Match': tag } });
      expect(again).toMatchObject({ status: 304, text: '' });
    }
  },
);

test.each(named.filter(([, one]) => !isPublic(one) && one.endpoint.declaration.method === 'GET'))(
  '%s never returns 304',
  async (functionId) => {
    const headers = { ...bearer(service.tokenOf(ALICE.uid)), 'If-None-Match': '*' };

    expect((await send(functionId, { headers })).status).toBe(200);
  },
);

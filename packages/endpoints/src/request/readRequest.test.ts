/** The input that reaches the handler, and the order of the checks. */
import * as z from 'zod';
import {
  createAppCheckClaims,
  createIdTokenClaims,
  signToken,
  createSigningKey,
} from '../../../../dev/fakeGoogle/idTokens.ts';
import { rawRequest } from '../../../../dev/testing/rawRequest.ts';
import { documentIdList } from '../schemas/documentIds.ts';
import type { EndpointDeclaration } from '../declaration.ts';
import { defineEndpoint } from '../defineEndpoint.ts';
import { chargeRequest } from './rateLimit.ts';
import { appCheck, checkRevoked, deadlineSeconds, userRequestsPerMinute } from '../parameters.ts';
import { useFunctionsEnvironment } from '../../../../dev/testing/functionsEnvironment.ts';
import { neverRespond, respondJson } from '../../../../dev/testing/stubServer.ts';
import { useServedEndpoint, DOC_PLACEHOLDERS } from '../../../../dev/testing/servedEndpoint.ts';
import { HOSTS, publishKeys, resetStubs, stubHost } from '../../../../dev/testing/stubGoogle.ts';

const PROJECT = 'demo-input';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const MISSING = 'A JSON body is required.';
const NOT_JSON_TYPE = 'The Content-Type must be application/json, in UTF-8.';

useFunctionsEnvironment(PROJECT);

afterEach(resetStubs);

const echo = useServedEndpoint(
  defineEndpoint({
    ...DOC_PLACEHOLDERS,
    method: 'PUT',
    path: '/things/{id}',
    access: 'public',
    params: z.object({ id: z.string() }),
    query: z.object({ limit: z.string().optional() }),
    body: z.object({ text: z.string() }),
    response: z.object({ id: z.string(), text: z.string(), limit: z.string().optional() }),
    handle: ({ params, query, body }) => Promise.resolve({ ...params, ...query, ...body }),
  }),
);

/** An endpoint that returns its body, which may be sent as repeated query parameters or not. */
function lists(more: { readonly allowBodyInQuery?: true }) {
  const body = z.object({ ids: z.array(z.string()), others: z.array(z.string()).optional() });
  const handle = (input: { body: z.output<typeof body> }) => Promise.resolve(input.body);
  const declared = {
    ...DOC_PLACEHOLDERS,
    method: 'DELETE',
    path: '/things',
    access: 'public',
  } as const;
  return useServedEndpoint(defineEndpoint({ ...declared, ...more, body, response: body, handle }));
}

const inQuery = lists({ allowBodyInQuery: true });
const inBody = lists({});

test('the handler gets the input parsed and checked', async () => {
  const response = await rawRequest(echo.origin, '/api/things/%C3%A9?limit=7&other=1', {
    method: 'PUT',
    headers: JSON_TYPE,
    body: '{"text":"ü","isAdmin":true}',
  });

  expect(response.status).toBe(200);
  expect(JSON.parse(response.text)).toEqual({ id: 'é', text: 'ü', limit: '7' });
});

test.each([
  ['its path before its method', 'POST', '/nothing', 404, 'There is no endpoint at this path.'],
  ['its path first', 'PUT', '/things/%zz', 400, 'The path has a malformed percent-escape.'],
  ['its method before its body', 'POST', '/things/a', 405, 'This endpoint only accepts PUT.'],
  ['its body before its query', 'PUT', '/things/a?limit=%zz', 415, NOT_JSON_TYPE],
])('a request is rejected for %s', async (_what, method, path, status, message) => {
  expect(await rawRequest(echo.origin, path, { method, body: '{' })).toMatchObject({
    status,
    text: JSON.stringify({ message }),
  });
});

test.each([
  ['?ids=a', undefined, { ids: ['a'] }],
  ['?ids=a&ids=b%20c&unknown=d', undefined, { ids: ['a', 'b c'] }],
  ['?others=x&ids=a', undefined, { ids: ['a'], others: ['x'] }],
  ['?ids=a', '{"ids":["b"]}', { ids: ['b'] }],
  ['', undefined, { message: MISSING }],
  ['?unknown=a', undefined, { message: MISSING }],
  ['?Ids=a', undefined, { message: MISSING }],
])(
  'the query “%s” is the body where it may be, unless %s is sent',
  async (query, body, expected) => {
    const options = { method: 'DELETE', headers: JSON_TYPE, ...(body !== undefined && { body }) };

    const { text } = await rawRequest(inQuery.origin, `/things${query}`, options);

    expect(JSON.parse(text)).toEqual(expected);
  },
);

test('query parameters are not used as the body without allowBodyInQuery', async () => {
  const { text } = await rawRequest(inBody.origin, '/things?ids=a', { method: 'DELETE' });

  expect(JSON.parse(text)).toEqual({ message: MISSING });
});

const key = createSigningKey('key-1');
const attested = { 'X-Firebase-AppCheck': signToken(key, createAppCheckClaims(PROJECT)) };
const account = (more: object) => respondJson({ users: [{ localId: 'any', ...more }] });

function bearer(uid: string): { readonly Authorization: string } {
  return { Authorization: `Bearer ${signToken(key, createIdTokenClaims(PROJECT, uid))}` };
}

/** An endpoint for signed-in callers. */
function signedIn(
  method: EndpointDeclaration['method'],
  more: Pick<EndpointDeclaration, 'body' | 'query'> = {},
) {
  const response = z.object({ isDone: z.boolean() });
  const handle = () => Promise.resolve({ isDone: true });
  const declared = { ...DOC_PLACEHOLDERS, method, path: '/closed', access: 'signedIn' } as const;
  return useServedEndpoint(defineEndpoint({ ...declared, ...more, response, handle }));
}

const checked = signedIn('PUT', {
  body: z.object({ ids: documentIdList(500) }),
  query: z.object({ page: z.enum(['first', 'last']) }),
});

test('a request with many errors is rejected for the first of them in this order', async () => {
  publishKeys(key);
  jest.spyOn(appCheck, 'value').mockReturnValue('enforce');
  jest.spyOn(checkRevoked, 'value').mockReturnValue(true);
  jest.spyOn(userRequestsPerMinute, 'value').mockReturnValue(10);
  for (let sent = 0; sent < 10; sent += 1) chargeRequest('alice', 10);
  let request = { method: 'POST', path: '/nothing?page=9', headers: {}, body: '{' };
  const sendWith = async (mended: Partial<typeof request>) => {
    request = { ...request, ...mended, headers: { ...request.headers, ...mended.headers } };
    const { status, headers } = await rawRequest(checked.origin, request.path, request);
    return `${status} ${String(headers['x-error-code'])}`;
  };
  const manyIds = JSON.stringify({ ids: Array.from({ length: 200 }, (_, id) => `${id}`) });

  expect(await sendWith({})).toBe('404 not-found');
  expect(await sendWith({ path: '/closed?page=9' })).toBe('405 method-not-allowed');
  expect(await sendWith({ method: 'PUT' })).toBe('403 app-check');
  expect(await sendWith({ headers: attested })).toBe('401 unauthenticated');
  expect(await sendWith({ headers: bearer('alice') })).toBe('429 resource-exhausted');
  stubHost(HOSTS.accounts, account({ disabled: true }));
  expect(await sendWith({ headers: bearer('bob') })).toBe('401 unauthenticated');
  stubHost(HOSTS.accounts, account({}));
  expect(await sendWith({})).toBe('415 unsupported-media-type');
  expect(await sendWith({ headers: JSON_TYPE })).toBe('400 invalid-argument');
  expect(await sendWith({ body: manyIds })).toBe('400 invalid-argument');
  expect(await sendWith({ path: '/closed?page=last' })).toBe('429 resource-exhausted');
  expect(await sendWith({ body: '{"ids":["a"]}' })).toBe('200 undefined');
});

const reading = signedIn('GET');

test('with CHECK_REVOKED, the account is not looked up for a request that only reads', async () => {
  publishKeys(key);
  const lookups = stubHost(HOSTS.accounts, account({ disabled: true }));
  jest.spyOn(checkRevoked, 'value').mockReturnValue(true);

  const { status } = await rawRequest(reading.origin, '/', { headers: bearer('alice') });

  expect([status, lookups.count]).toEqual([200, 0]);
});

const writing = signedIn('POST');
const deleting = signedIn('DELETE');

test.each([
  ['POST', writing],
  ['DELETE', deleting],
])('with CHECK_REVOKED, a %s of a disabled account is rejected', async (method, served) => {
  publishKeys(key);
  stubHost(HOSTS.accounts, account({ disabled: true }));
  jest.spyOn(checkRevoked, 'value').mockReturnValue(true);

  const { status } = await rawRequest(served.origin, '/', { method, headers: bearer('alice') });

  expect(status).toBe(401);
});

test.each([
  ['the keys of ID tokens', HOSTS.idTokenKeys],
  ['the keys of App Check', HOSTS.appCheckKeys],
  ['accounts', HOSTS.accounts],
])(
  'times out at the deadline while Google does not respond to a request for %s',
  async (_what, host) => {
    publishKeys(key);
    stubHost(host, neverRespond);
    jest.spyOn(appCheck, 'value').mockReturnValue('enforce');
    jest.spyOn(checkRevoked, 'value').mockReturnValue(true);
    jest.spyOn(deadlineSeconds, 'value').mockReturnValue(1);

    const headers = { ...bearer('alice'), ...attested };
    const { status } = await rawRequest(writing.origin, '/', { method: 'POST', headers });

    expect(status).toBe(503);
  },
);

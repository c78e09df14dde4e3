/** The input that reaches the handler, and the order of the checks. */
import * as z from 'zod';
import {
  createAppCheckClaims,
  createIdTokenClaims,
  signToken,
  createSigningKey,
} from '../../../../test/support/google/idTokens.ts';
import { sendRawRequest } from '../../../../test/support/requests/sendRawRequest.ts';
import { documentIdList } from '../schemas/documentIds.ts';
import type { EndpointDeclaration } from '../declaration/declaration.ts';
import { defineEndpoint } from '../defineEndpoint.ts';
import { chargeRequest } from './rateLimit.ts';
import {
  appCheck,
  checkRevoked,
  deadlineSeconds,
  userRequestsPerMinute,
} from '../declaration/parameters.ts';
import { useFunctionsEnvironment } from '../../../../test/support/jest/isolateEnvironment.ts';
import { neverRespond, respondJson } from '../../../../test/support/google/stubServer.ts';
import {
  useServedEndpoint,
  DOC_PLACEHOLDERS,
} from '../../../../test/support/processes/servedEndpoint.ts';
import {
  HOSTS,
  publishKeys,
  resetStubs,
  stubHost,
} from '../../../../test/support/google/stubGoogle.ts';

const PROJECT = 'demo-input';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const BODY_REQUIRED = 'A JSON body is required.';

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

/** Serves an endpoint that returns its body of two lists. */
function serveLists(options: Pick<EndpointDeclaration, 'allowBodyInQuery'>) {
  const body = z.object({ ids: z.array(z.string()), tags: z.array(z.string()).optional() });
  return useServedEndpoint(
    defineEndpoint({
      ...DOC_PLACEHOLDERS,
      ...options,
      method: 'DELETE',
      path: '/things',
      access: 'public',
      body,
      response: body,
      handle: (input: { body: z.output<typeof body> }) => Promise.resolve(input.body),
    }),
  );
}

const withBodyInQuery = serveLists({ allowBodyInQuery: true });
const withoutBodyInQuery = serveLists({});

test('the handler receives the parsed and validated input', async () => {
  const response = await sendRawRequest(echo.origin, '/api/things/%C3%A9?limit=7&other=1', {
    method: 'PUT',
    headers: JSON_TYPE,
    body: '{"text":"ü","isAdmin":true}',
  });

  expect(response.status).toBe(200);
  expect(JSON.parse(response.text)).toEqual({ id: 'é', text: 'ü', limit: '7' });
});

test.each([
  { name: 'one value', query: '?ids=a', body: { ids: ['a'] } },
  {
    name: 'several values and an unknown parameter',
    query: '?ids=a&ids=b%20c&unknown=d',
    body: { ids: ['a', 'b c'] },
  },
  { name: 'two fields', query: '?tags=x&ids=a', body: { ids: ['a'], tags: ['x'] } },
])('with allowBodyInQuery, a query of $name is the body', async ({ query, body }) => {
  const options = { method: 'DELETE', headers: JSON_TYPE };

  const { text } = await sendRawRequest(withBodyInQuery.origin, `/things${query}`, options);

  expect(JSON.parse(text)).toEqual(body);
});

test('with allowBodyInQuery, a body overrides the query', async () => {
  const { text } = await sendRawRequest(withBodyInQuery.origin, '/things?ids=a', {
    method: 'DELETE',
    headers: JSON_TYPE,
    body: '{"ids":["b"]}',
  });

  expect(JSON.parse(text)).toEqual({ ids: ['b'] });
});

test.each([
  { name: 'an empty query', query: '' },
  { name: 'an unknown parameter', query: '?unknown=a' },
  { name: 'a parameter in another case', query: '?Ids=a' },
])('with allowBodyInQuery, $name is rejected as a missing body', async ({ query }) => {
  const options = { method: 'DELETE', headers: JSON_TYPE };

  const { text } = await sendRawRequest(withBodyInQuery.origin, `/things${query}`, options);

  expect(JSON.parse(text)).toEqual({ message: BODY_REQUIRED });
});

test('without allowBodyInQuery, query parameters are not used as the body', async () => {
  const options = { method: 'DELETE' };

  const { text } = await sendRawRequest(withoutBodyInQuery.origin, '/things?ids=a', options);

  expect(JSON.parse(text)).toEqual({ message: BODY_REQUIRED });
});

const key = createSigningKey('key-1');
const APP_CHECK_HEADER = { 'X-Firebase-AppCheck': signToken(key, createAppCheckClaims(PROJECT)) };
const respondAccount = (fields: object) => respondJson({ users: [{ localId: 'any', ...fields }] });

function authorize(uid: string): { readonly Authorization: string } {
  return { Authorization: `Bearer ${signToken(key, createIdTokenClaims(PROJECT, uid))}` };
}

/** Serves an endpoint for signed-in callers. */
function servePrivate(
  method: EndpointDeclaration['method'],
  options: Pick<EndpointDeclaration, 'body' | 'query'> = {},
) {
  return useServedEndpoint(
    defineEndpoint({
      ...DOC_PLACEHOLDERS,
      ...options,
      method,
      path: '/private',
      access: 'signedIn',
      response: z.object({ isDone: z.boolean() }),
      handle: () => Promise.resolve({ isDone: true }),
    }),
  );
}

const withAllChecks = servePrivate('PUT', {
  body: z.object({ ids: documentIdList(500) }),
  query: z.object({ page: z.enum(['first', 'last']) }),
});

test('a request with many errors is rejected for the first of them in this order', async () => {
  publishKeys(key);
  jest.spyOn(appCheck, 'value').mockReturnValue('enforce');
  jest.spyOn(checkRevoked, 'value').mockReturnValue(true);
  jest.spyOn(userRequestsPerMinute, 'value').mockReturnValue(10);
  for (let count = 0; count < 10; count += 1) chargeRequest('alice', 10);
  let request = { method: 'POST', path: '/nothing?page=9', headers: {}, body: '{' };
  /** Corrects one part of the request and sends it. */
  const sendWith = async (correction: Partial<typeof request>) => {
    const headers = { ...request.headers, ...correction.headers };
    request = { ...request, ...correction, headers };
    const response = await sendRawRequest(withAllChecks.origin, request.path, request);
    return `${response.status} ${String(response.headers['x-error-code'])}`;
  };
  const manyIds = JSON.stringify({ ids: Array.from({ length: 200 }, (_, id) => `${id}`) });

  expect(await sendWith({})).toBe('404 not-found');
  expect(await sendWith({ path: '/private?page=9' })).toBe('405 method-not-allowed');
  expect(await sendWith({ method: 'PUT' })).toBe('403 app-check');
  expect(await sendWith({ headers: APP_CHECK_HEADER })).toBe('401 unauthenticated');
  expect(await sendWith({ headers: authorize('alice') })).toBe('429 resource-exhausted');
  stubHost(HOSTS.accounts, respondAccount({ disabled: true }));
  expect(await sendWith({ headers: authorize('bob') })).toBe('401 unauthenticated');
  stubHost(HOSTS.accounts, respondAccount({}));
  expect(await sendWith({})).toBe('415 unsupported-media-type');
  expect(await sendWith({ headers: JSON_TYPE })).toBe('400 invalid-argument');
  expect(await sendWith({ body: manyIds })).toBe('400 invalid-argument');
  expect(await sendWith({ path: '/private?page=last' })).toBe('429 resource-exhausted');
  expect(await sendWith({ body: '{"ids":["a"]}' })).toBe('200 undefined');
});

const read = servePrivate('GET');
const creation = servePrivate('POST');
const deletion = servePrivate('DELETE');

test.each([
  { method: 'GET', endpoint: read },
  { method: 'POST', endpoint: creation },
  { method: 'DELETE', endpoint: deletion },
])('with CHECK_REVOKED, a $method of a disabled account is rejected', async (row) => {
  const { method, endpoint } = row;
  publishKeys(key);
  stubHost(HOSTS.accounts, respondAccount({ disabled: true }));
  jest.spyOn(checkRevoked, 'value').mockReturnValue(true);

  const { status } = await sendRawRequest(endpoint.origin, '/', {
    method,
    headers: authorize('alice'),
  });

  expect(status).toBe(401);
});

test.each([
  { name: 'the keys of ID tokens', host: HOSTS.idTokenKeys },
  { name: 'the keys of App Check', host: HOSTS.appCheckKeys },
  { name: 'an account', host: HOSTS.accounts },
])('times out at the deadline if Google does not respond with $name', async ({ host }) => {
  publishKeys(key);
  stubHost(host, neverRespond);
  jest.spyOn(appCheck, 'value').mockReturnValue('enforce');
  jest.spyOn(checkRevoked, 'value').mockReturnValue(true);
  jest.spyOn(deadlineSeconds, 'value').mockReturnValue(1);

  const headers = { ...authorize('alice'), ...APP_CHECK_HEADER };
  const { status } = await sendRawRequest(creation.origin, '/', { method: 'POST', headers });

  expect(status).toBe(503);
});

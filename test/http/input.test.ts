/** What of a request reaches the handler, and in which order it is checked. */
import * as z from 'zod';
import { idTokenClaims, signedToken, signingKey } from '../../dev/google/idTokens.ts';
import { functionsEnvironment } from '../support/functionsEnvironment.ts';
import { publishKeys, resetGoogle } from '../support/simulatedGoogle.ts';
import { endpoint } from '../../functions/src/http/endpoint.ts';
import { rawRequest } from '../../dev/shared/rawRequest.ts';
import { servedEndpoint, UNDESCRIBED } from '../support/servedEndpoint.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const MISSING = 'A JSON body is required.';
const NOT_JSON_TYPE = 'The Content-Type must be application/json, in UTF-8.';

functionsEnvironment('demo-input');

const echo = servedEndpoint(
  endpoint({
    ...UNDESCRIBED,
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
function lists(more: { readonly bodyInQuery?: true }) {
  const body = z.object({ ids: z.array(z.string()), others: z.array(z.string()).optional() });
  const handle = (input: { body: z.output<typeof body> }) => Promise.resolve(input.body);
  const declared = { ...UNDESCRIBED, method: 'DELETE', path: '/things', access: 'public' } as const;
  return servedEndpoint(endpoint({ ...declared, ...more, body, response: body, handle }));
}

const inQuery = lists({ bodyInQuery: true });
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
])('a request is refused for %s', async (_what, method, path, status, message) => {
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

test('the query is no body unless the endpoint says so', async () => {
  const { text } = await rawRequest(inBody.origin, '/things?ids=a', { method: 'DELETE' });

  expect(JSON.parse(text)).toEqual({ message: MISSING });
});

/** An endpoint for signed-in callers. */
function closed(method: 'GET' | 'PUT') {
  const response = z.object({ uid: z.string() });
  const handle = ({ caller }: { caller: { uid: string } }) => Promise.resolve({ uid: caller.uid });
  const declared = { ...UNDESCRIBED, method, path: '/closed', access: 'signedIn' } as const;
  return servedEndpoint(endpoint({ ...declared, response, handle }));
}

const key = signingKey('key-1');
const reading = closed('GET');
const writing = closed('PUT');

test.each([
  ['App Check, before the token', { APP_CHECK: 'enforce' }, 403, 403],
  ['the token', {}, 200, 200],
  ['Firebase Auth, only to write: it is away', { CHECK_REVOKED: 'true' }, 200, 503],
])('a signed-in caller is checked with %s', async (_what, parameters, read, written) => {
  publishKeys(key);
  const before = { ...process.env };
  Object.assign(process.env, parameters, { GCE_METADATA_HOST: '127.0.0.1:9' });
  const headers = {
    Authorization: `Bearer ${signedToken(key, idTokenClaims('demo-input', 'alice'))}`,
  };

  const responses = [
    await rawRequest(reading.origin, '/closed', { headers }),
    await rawRequest(writing.origin, '/closed', { method: 'PUT', headers }),
  ];

  process.env = before;
  await resetGoogle();
  expect(responses.map(({ status }) => status)).toEqual([read, written]);
});

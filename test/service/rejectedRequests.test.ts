/**
 * Tests the requests that every endpoint rejects and accepts, derived from the declarations. A rejected request neither reads
 * nor writes, unless its rejection depends on stored data. packages/endpoints/src/auth tests the types of tokens, and
 * packages/endpoints/src/request tests bodies and paths.
 */
import type { DeployedEndpoint } from '@tattoo-marketplace/endpoints';
import {
  buildExampleRequest,
  createExampleParts,
  createExampleRequest,
  storeFixture,
  type ExampleRequest,
} from '../support/requests/exampleRequests.ts';
import { createIdTokenClaims, createUnsignedToken } from '../support/google/idTokens.ts';
import type { RawResponse } from '../support/requests/sendRawRequest.ts';
import { endpoints } from '../../functions/service.ts';
import { useInProcessService } from '../support/processes/inProcessService.ts';
import { allowsRequest } from '../support/requests/openapi.ts';

const NO_ENDPOINT = 'There is no endpoint at this path.';
const SIGN_IN =
  'Sign in first: the Authorization header must be "Bearer" followed by a Firebase ID token.';
const BAD_TOKEN = 'The ID token is invalid or expired. Sign in again.';

const ALICE = { uid: 'alice', prefix: 'thing' };
const WITHOUT_DOCUMENTS = { uid: 'alice-without-documents', prefix: 'missing' };
const service = useInProcessService();

beforeAll(() => storeFixture(service.store, ALICE));

type Headers = Readonly<Record<string, string>>;

/** The parts of an example request that a case overrides. */
type Overrides = Partial<ExampleRequest>;

/** Sends the example request of a function with overrides. It has no token unless the overrides have one. */
async function send(functionId: string, overrides: Overrides): Promise<RawResponse> {
  const example = createExampleRequest(functionId, ALICE, '');
  const path = overrides.path ?? example.path;
  const template = /^\/(\?|$)/.test(path) ? example.path : path;
  const headers = { 'Content-Type': 'application/json' };
  return service.send(functionId, { template, ...example, headers, ...overrides });
}

function createHeaders(token: string): Headers {
  return { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
}

/** Matches details that no error message may contain. */
const SECRETS =
  /node_modules|\.(cjs|mjs|ts|js):\d|\bat \w+ \(|firestore|firebase-|grpc|zod|express|demo-in-process|projects\//i;

/** Expects that an error response has the headers of an error, and only a message in its body. Returns the message. */
function expectErrorResponse({ status, headers, text }: RawResponse): string {
  expect(headers).toMatchObject({
    'content-type': expect.stringMatching(/^application\/json/) as string,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/) as string,
    'access-control-allow-origin': '*',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(status === 405 && { allow: expect.stringMatching(/OPTIONS$/) as string }),
  });
  const { message, ...otherFields } = JSON.parse(text) as { message: string };
  expect(otherFields).toEqual({});
  expect(message).toMatch(/^\w.{0,300}\.$/);
  expect(message).not.toMatch(SECRETS);
  return message;
}

/** A request that must be rejected with this status and message. */
interface RejectedRequest {
  readonly name: string;
  readonly request: Overrides;
  readonly status: number;
  readonly message: string | RegExp;
}

function createRoutingCases({ endpoint }: DeployedEndpoint): RejectedRequest[] {
  const { method, path, params } = endpoint.declaration;
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY'];
  // No header overrides the method.
  const headers = { 'X-HTTP-Method-Override': method, 'X-Method-Override': method };
  const otherMethods = methods.filter((candidate) => candidate !== method);
  const replaceId = (id: string) => ({ path: path.replace(/\{\w+\}/, id) });
  return [
    { name: 'another path', request: { path: '/nothing' }, status: 404, message: NO_ENDPOINT },
    ...otherMethods.map((otherMethod) => ({
      name: `the method ${otherMethod}`,
      request: { method: otherMethod, headers, body: '{bad' },
      status: 405,
      message: `This endpoint only accepts ${method}.`,
    })),
    ...(params === undefined
      ? []
      : [
          { name: 'no id', request: replaceId(''), status: 404, message: NO_ENDPOINT },
          {
            name: 'the id %zz',
            request: replaceId('%zz'),
            status: 400,
            message: 'The path has a malformed percent-escape.',
          },
        ]),
  ];
}

function createAuthCases({ functionId }: DeployedEndpoint): RejectedRequest[] {
  const claims = createIdTokenClaims(service.projectId, ALICE.uid);
  const validToken = service.createIdToken(ALICE.uid);
  const [path = '', query = ''] = createExampleRequest(functionId, ALICE, '').path.split('?');
  const tokenElsewhere = {
    path: `${path}?${query}&access_token=${validToken}`,
    headers: {
      Cookie: `__session=${validToken}`,
      'X-Authorization': `Bearer ${validToken}`,
      'X-Goog-Authenticated-User-Id': ALICE.uid,
    },
  };
  const invalidQueryAndBody = {
    path: `${path}?limit=abc`,
    headers: { 'Content-Type': 'text/plain' },
    body: '{bad',
  };
  const badTokens = {
    'a token that is not a JWT': 'nonsense',
    'an unsigned token': createUnsignedToken(claims),
    'an expired token': service.signIdToken({ ...claims, exp: 1 }),
  };
  return [
    { name: 'no token', request: { headers: {} }, status: 401, message: SIGN_IN },
    {
      name: 'a token in the query, a cookie and other headers',
      request: tokenElsewhere,
      status: 401,
      message: SIGN_IN,
    },
    {
      name: 'no token, before an invalid query and body',
      request: invalidQueryAndBody,
      status: 401,
      message: SIGN_IN,
    },
    ...Object.entries(badTokens).map(([name, token]) => ({
      name,
      request: { headers: createHeaders(token) },
      status: 401,
      message: BAD_TOKEN,
    })),
  ];
}

/** packages/endpoints/src/request tests other bodies. */
function createBodyCases({ endpoint }: DeployedEndpoint): RejectedRequest[] {
  if (endpoint.declaration.body === undefined) return [];
  const headers = createHeaders(service.createIdToken(ALICE.uid));
  return [
    {
      name: 'a list',
      request: { headers, body: '[]' },
      status: 400,
      message: 'The body must be an object.',
    },
  ];
}

const BAD_IDS = ['a/b', '__x__', 'a'.repeat(1501), '..', '.'];
/** Values by part of the request. Most are invalid for a field. An undefined value is not sent. */
const VALUES = {
  params: BAD_IDS,
  query: [undefined, '', ...BAD_IDS],
  body: [undefined, null, true, 7, 'a/b', [], {}, [7], [null], [{}]],
};

/** Messages about requests that public/openapi.json allows, because a schema cannot state these rules. */
const BEYOND_SCHEMAS = /must be later than|is required if|a field whose name is|must be an id:/;

/** Creates example requests with another value in one field. `isAllowed` is true if public/openapi.json allows the request. */
function createFieldCases({ functionId, endpoint }: DeployedEndpoint) {
  const { method, path, ...declaration } = endpoint.declaration;
  const example = createExampleParts(functionId, ALICE);
  const token = service.createIdToken(ALICE.uid);
  return (['params', 'query', 'body'] as const).flatMap((part) =>
    Object.keys(declaration[part]?.shape ?? {}).flatMap((field) =>
      VALUES[part].map((value) => {
        const parts = { ...example, [part]: { ...example[part], [field]: value } };
        const rule = value === undefined ? 'is required' : '.*(must|is required)';
        return {
          name: `${field}: ${JSON.stringify(value)}`,
          request: buildExampleRequest(functionId, parts, token),
          status: 400,
          message: new RegExp(`^${field}\\b ?${rule}.*\\.$`),
          isAllowed: allowsRequest(method, path, parts),
        };
      }),
    ),
  );
}

/** Creates requests for documents that do not exist, and for Alice's documents from another caller. */
function createOwnershipCases({ functionId, endpoint }: DeployedEndpoint): RejectedRequest[] {
  const { access, onlyFor, errors } = endpoint.declaration;
  const cases: RejectedRequest[] = [];
  if (access === 'signedIn' && errors['not-found'] !== undefined) {
    const token = service.createIdToken(WITHOUT_DOCUMENTS.uid);
    cases.push({
      name: 'documents that do not exist',
      request: createExampleRequest(functionId, WITHOUT_DOCUMENTS, token),
      status: 404,
      message: /^(\S+ refers to a document that does not exist|There is no profile for .*)\.$/,
    });
  }
  if (onlyFor !== undefined) {
    const names = ['ownerId', 'uid', 'userId', 'clientId', 'participantIds'];
    const claims = Object.fromEntries(names.map((name) => [name, 'bob']));
    const { query, body, ...params } = createExampleParts(functionId, ALICE);
    const parts = {
      ...params,
      query: { ...query, ...claims },
      body: body && { ...body, ...claims },
    };
    const request = buildExampleRequest(functionId, parts, service.createIdToken('bob'));
    cases.push({
      name: 'documents of another user',
      request: { ...request, headers: { ...request.headers, 'X-User-Id': ALICE.uid } },
      status: 403,
      message: /^\S+ refers to a \w+ that you (do not own|are not part of)\.$/,
    });
  }
  return cases;
}

async function expectRejected(functionId: string, rejected: RejectedRequest): Promise<void> {
  const { name, request, status, message } = rejected;
  const response = await send(functionId, request);
  const received = expectErrorResponse(response);
  const isExpected = typeof message === 'string' ? received === message : message.test(received);
  expect({ name, status: response.status, message: isExpected ? message : received }).toEqual({
    name,
    status,
    message,
  });
}

test.each(endpoints)(
  '$functionId rejects invalid requests as documented, without side effects',
  async (deployed) => {
    const { functionId, group, name } = deployed;
    const { access, onlyFor } = deployed.endpoint.declaration;
    const isPublic = access === 'public';
    // This request caches Google's keys: later requests are rejected because of their tokens.
    if (!isPublic)
      await send(functionId, { headers: createHeaders(service.createIdToken('nobody')) });
    const before = await service.store.readUsage();
    const rejectedRequests = [
      ...createRoutingCases(deployed),
      ...(isPublic ? [] : createAuthCases(deployed)),
      ...createBodyCases(deployed),
      ...createFieldCases(deployed).filter(({ isAllowed }) => !isAllowed),
    ];
    for (const request of rejectedRequests) await expectRejected(functionId, request);
    expect(await service.store.readUsage()).toEqual(before);

    for (const request of createOwnershipCases(deployed)) await expectRejected(functionId, request);
    expect((await service.store.readUsage()).writes).toBe(before.writes);

    if (!isPublic && onlyFor === undefined) {
      const request = createExampleRequest(functionId, ALICE, service.createIdToken('bob'));
      const { status } = await service.send(functionId, request);
      const file = `functions/src/${group}/${name}.ts`;
      if (status === 403) throw new Error(`${file} must say in onlyFor who may call it.`);
    }
  },
);

test.each(endpoints)(
  '$functionId returns the same response at each of its addresses',
  async ({ functionId, endpoint }) => {
    const { method, access, path } = endpoint.declaration;
    const example = createExampleRequest(functionId, ALICE, '').path;
    const roots = path.includes('{') ? [] : [example.replace(/^[^?]*/, '/')];
    const { status, text } = await send(functionId, {});

    expect(status).toBe(access === 'public' ? 200 : 401);
    for (const address of [`/api${example}`, ...roots]) {
      expect(await send(functionId, { path: address })).toMatchObject({ status, text });
    }
    const head = await send(functionId, { method: 'HEAD' });
    expect(head).toMatchObject({ status: method === 'GET' ? status : 405, text: '' });
  },
);

test.each(endpoints)(
  '$functionId accepts the requests that public/openapi.json allows',
  async (deployed) => {
    for (const { name, request, isAllowed } of createFieldCases(deployed)) {
      if (!isAllowed) continue;
      const { status, text } = await send(deployed.functionId, request);
      const isAccepted = status !== 400 || BEYOND_SCHEMAS.test(text);
      expect({ name, rejection: isAccepted ? '' : text }).toEqual({ name, rejection: '' });
    }
  },
);

test.each(endpoints.filter(({ endpoint }) => endpoint.declaration.method === 'GET'))(
  '$functionId ignores the token and returns 304 for an unchanged response if it is public, and never returns 304 otherwise',
  async ({ functionId, endpoint }) => {
    const isPublic = endpoint.declaration.access === 'public';
    const token = isPublic ? 'nonsense' : service.createIdToken(ALICE.uid);
    const sendWithTag = (tag: string) =>
      send(functionId, { headers: { ...createHeaders(token), 'If-None-Match': tag } });

    const { status, headers } = await sendWithTag('"another"');
    const { etag = '*' } = headers;

    const isTagged = /^W\/"[\w-]+"$/.test(etag);
    const lifetime = isPublic ? 'public, max-age=0, s-maxage=0' : 'private, no-store';
    expect([status, headers['cache-control'], isTagged]).toEqual([200, lifetime, isPublic]);
    for (const tag of [etag, '*']) {
      expect((await sendWithTag(tag)).status).toBe(isPublic ? 304 : 200);
    }
  },
);

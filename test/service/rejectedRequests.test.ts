/**
 * What every endpoint refuses and accepts, derived from the declarations. A refusal reads and changes nothing, except
 * where it depends on what is stored. Kinds of tokens are the subject of packages/endpoints/src/auth, bodies and paths that of packages/endpoints/src/request.
 */
import { createIdTokenClaims, createUnsignedToken } from '../../dev/fakeGoogle/idTokens.ts';
import { endpoints } from '../../functions/service.ts';
import type { DeployedEndpoint } from '@tattoo-marketplace/endpoints';
import { allowsRequest } from '../support/openapi.ts';
import {
  exampleParts,
  exampleRequest,
  requestOf,
  storeFixture,
  type ExampleRequest,
} from '../../demo/exampleRequests.ts';
import { useInProcessService } from '../support/inProcessService.ts';
import type { RawResponse } from '../../dev/testing/rawRequest.ts';

const NO_ENDPOINT = 'There is no endpoint at this path.';
const SIGN_IN =
  'Sign in first: the Authorization header must be "Bearer" followed by a Firebase ID token.';
const BAD_TOKEN = 'The ID token is invalid or expired. Sign in again.';

const ALICE = { uid: 'alice', prefix: 'thing' };
const MISSING = { uid: 'alice-without-documents', prefix: 'missing' };
const service = useInProcessService();

beforeAll(() => storeFixture(service.store, ALICE));

const named = endpoints.map((deployed) => [deployed.functionId, deployed] as const);

type Headers = Readonly<Record<string, string>>;

type Sent = Partial<ExampleRequest>;

/** Sends the example request of a function with changes, and only these headers. */
async function send(functionId: string, sent: Sent): Promise<RawResponse> {
  const own = exampleRequest(functionId, ALICE, '');
  const path = sent.path ?? own.path;
  const documentedAs = /^\/(\?|$)/.test(path) ? own.path : path;
  const headers = { 'Content-Type': 'application/json' };
  return service.send(functionId, { template: documentedAs, ...own, headers, ...sent });
}

function bearer(token: string): Headers {
  return { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
}

/** No error may contain this. */
const SECRETS =
  /node_modules|\.(cjs|mjs|ts|js):\d|\bat \w+ \(|firestore|firebase-|grpc|zod|express|demo-in-process|projects\//i;

/** Expects that an error response has the headers of one, and only a message in its body; returns the message. */
function expectRefusal({ status, headers, text }: RawResponse): string {
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
  expect(message).toMatch(/^\w.{0,300}\.$/);
  expect(message).not.toMatch(SECRETS);
  return message;
}

/** A request that is refused, with the expected status and message. */
type Refusal = readonly [what: string, sent: Sent, status: number, message: string | RegExp];

function ofAnyone({ endpoint }: DeployedEndpoint): Refusal[] {
  const { method, path, params } = endpoint.declaration;
  const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY'];
  // No header takes the place of the method.
  const headers = { 'X-HTTP-Method-Override': method, 'X-Method-Override': method };
  const at = (id: string) => ({ path: path.replace(/\{\w+\}/, id) });
  const ofPaths: readonly Refusal[] = [
    ['no id', at(''), 404, NO_ENDPOINT],
    ['the id %zz', at('%zz'), 400, 'The path has a malformed percent-escape.'],
  ];
  return [
    ['another path', { path: '/nothing' }, 404, NO_ENDPOINT],
    ...others
      .filter((other) => other !== method)
      .map((other): Refusal => {
        const sent = { method: other, headers, body: '{bad' };
        return [`the method ${other}`, sent, 405, `This endpoint only accepts ${method}.`];
      }),
    ...(params === undefined ? [] : ofPaths),
  ];
}

function ofStrangers({ functionId }: DeployedEndpoint): Refusal[] {
  const claims = createIdTokenClaims(service.projectId, ALICE.uid);
  const good = service.createIdToken(ALICE.uid);
  const [path = '', query = ''] = exampleRequest(functionId, ALICE, '').path.split('?');
  const elsewhere = {
    path: `${path}?${query}&access_token=${good}`,
    headers: {
      Cookie: `__session=${good}`,
      'X-Authorization': `Bearer ${good}`,
      'X-Goog-Authenticated-User-Id': ALICE.uid,
    },
  };
  const expired = service.signIdToken({ ...claims, exp: 1 });
  const text = { 'Content-Type': 'text/plain' };
  return [
    ['no token', { headers: {} }, 401, SIGN_IN],
    ['a token elsewhere', elsewhere, 401, SIGN_IN],
    // Before the body and the query.
    ['all else', { path: `${path}?limit=abc`, headers: text, body: '{bad' }, 401, SIGN_IN],
    ...['nonsense', createUnsignedToken(claims), expired].map((token): Refusal => {
      return [token, { headers: bearer(token) }, 401, BAD_TOKEN];
    }),
  ];
}

function ofBodies({ endpoint }: DeployedEndpoint): Refusal[] {
  if (endpoint.declaration.body === undefined) return [];
  const headers = bearer(service.createIdToken(ALICE.uid));
  const asText = { ...headers, 'Content-Type': 'text/plain' };
  const large = `{"padding":"${'x'.repeat(1024 * 1024)}"}`;
  return [
    ['no body', { headers, body: '' }, 400, 'A JSON body is required.'],
    ['half an object', { headers, body: '{' }, 400, 'The body is not valid JSON.'],
    ['a list', { headers, body: '[]' }, 400, 'The body must be an object.'],
    ['another type', { headers: asText, body: '{}' }, 415, /^The Content-Type must be /],
    ['1 MiB', { headers, body: large }, 413, 'The body must not be larger than 1 MiB.'],
  ];
}

const BAD_IDS = ['a/b', '__x__', 'a'.repeat(1501), '..', '.'];
/** Values of which most are invalid, by where they are sent; an undefined one is missing. */
const VALUES = {
  params: BAD_IDS,
  query: [undefined, '', ...BAD_IDS],
  body: [undefined, null, true, 7, 'a/b', [], {}, [7], [null], [{}]],
};

/** What requests may break although their parts are as public/openapi.json says: no schema can tell. */
const BEYOND_SCHEMAS = /must be later than|is required if|a field whose name is/;

/** Example requests with another value in one field, and whether public/openapi.json allows it. */
function ofFields({ functionId, endpoint }: DeployedEndpoint) {
  const { method, path, ...declaration } = endpoint.declaration;
  const example = exampleParts(functionId, ALICE);
  const token = service.createIdToken(ALICE.uid);
  return (['params', 'query', 'body'] as const).flatMap((place) =>
    Object.keys(declaration[place]?.shape ?? {}).flatMap((name) =>
      VALUES[place].map((value) => {
        const parts = { ...example, [place]: { ...example[place], [name]: value } };
        const message = value === undefined ? 'is required' : '.*(must|is required)';
        const refusal: Refusal = [
          `${name}: ${JSON.stringify(value)}`,
          requestOf(functionId, parts, token),
          400,
          new RegExp(`^${name}\\b ?${message}.*\\.$`),
        ];
        return { refusal, isAllowed: allowsRequest(method, path, parts) };
      }),
    ),
  );
}

/** A caller whose documents are missing, and one who claims what Alice owns in every way. */
function ofData({ functionId, endpoint }: DeployedEndpoint): Refusal[] {
  const { access, onlyFor, errors } = endpoint.declaration;
  const refusals: Refusal[] = [];
  if (access === 'signedIn' && errors['not-found'] !== undefined) {
    const token = service.createIdToken(MISSING.uid);
    const message = /^(\S+ refers to a document that does not exist|There is no profile for .*)\.$/;
    refusals.push(['missing', exampleRequest(functionId, MISSING, token), 404, message]);
  }
  if (onlyFor !== undefined) {
    const names = ['ownerId', 'uid', 'userId', 'clientId', 'participantIds'];
    const claims = Object.fromEntries(names.map((name) => [name, 'bob']));
    const { query, body, ...others } = exampleParts(functionId, ALICE);
    const claimed = {
      ...others,
      query: { ...query, ...claims },
      body: body && { ...body, ...claims },
    };
    const sent = requestOf(functionId, claimed, service.createIdToken('bob'));
    const headers = { ...sent.headers, 'X-User-Id': ALICE.uid };
    const message = /^\S+ refers to a \w+ that you (do not own|are not part of)\.$/;
    refusals.push(["another's", { ...sent, headers }, 403, message]);
  }
  return refusals;
}

test.each(named)('%s refuses as documented, and changes nothing', async (functionId, deployed) => {
  const isPublic = deployed.endpoint.declaration.access === 'public';
  // Google's keys are cached, so that a failure is the fault of the token.
  if (!isPublic) await send(functionId, { headers: bearer(service.createIdToken('nobody')) });
  const before = await service.store.usage();
  const refusals = [
    ...ofAnyone(deployed),
    ...(isPublic ? [] : ofStrangers(deployed)),
    ...ofBodies(deployed),
    ...ofFields(deployed).flatMap(({ refusal, isAllowed }) => (isAllowed ? [] : [refusal])),
  ];
  for (const refusal of refusals) await expectRefused(functionId, refusal);
  expect(await service.store.usage()).toEqual(before);

  for (const refusal of ofData(deployed)) await expectRefused(functionId, refusal);
  expect((await service.store.usage()).writes).toBe(before.writes);

  if (!isPublic && deployed.endpoint.declaration.onlyFor === undefined) {
    const request = exampleRequest(functionId, ALICE, service.createIdToken('bob'));
    const { status } = await service.send(functionId, request);
    const file = `functions/src/${deployed.group}/${deployed.name}.ts`;
    if (status === 403) throw new Error(`${file} must say in onlyFor who may call it.`);
  }
});

async function expectRefused(functionId: string, [what, sent, status, message]: Refusal) {
  const response = await send(functionId, sent);
  const said = expectRefusal(response);
  const isExpected = typeof message === 'string' ? said === message : message.test(said);
  expect([what, response.status, isExpected ? message : said]).toEqual([what, status, message]);
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

test.each(named)('%s accepts what public/openapi.json allows', async (functionId, deployed) => {
  const allowed = ofFields(deployed).filter(({ isAllowed }) => isAllowed);
  for (const { refusal } of allowed) {
    const [what, sent] = refusal;
    const { status, text } = await send(functionId, sent);
    const isAccepted = status !== 400 || BEYOND_SCHEMAS.test(text);
    expect([what, isAccepted ? '' : text]).toEqual([what, '']);
  }
});

test.each(named.filter(([, { endpoint }]) => endpoint.declaration.method === 'GET'))(
  '%s needs no token and returns 304 while nothing has changed, if it is public',
  async (functionId, { endpoint }) => {
    const isPublic = endpoint.declaration.access === 'public';
    const token = isPublic ? 'nonsense' : service.createIdToken(ALICE.uid);
    const ask = (tag: string) =>
      send(functionId, { headers: { ...bearer(token), 'If-None-Match': tag } });

    const { status, headers } = await ask('"another"');
    const { etag = '*' } = headers;

    const isTagged = /^W\/"[\w-]+"$/.test(etag);
    const lifetime = isPublic ? 'public, max-age=0, s-maxage=0' : 'private, no-store';
    expect([status, headers['cache-control'], isTagged]).toEqual([200, lifetime, isPublic]);
    for (const tag of [etag, '*']) {
      expect((await ask(tag)).status).toBe(isPublic ? 304 : 200);
    }
  },
);

/**
 * Rejected ID tokens and App Check tokens, with and without a reachable key server. The Admin SDK
 * verifies the signatures, with keys that this file creates.
 */
import { createHmac } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Request } from 'firebase-functions/https';
import { verifyAppCheck } from './appCheck.ts';
import { authenticate, assertNotRevoked } from './authentication.ts';
import {
  createAppCheckClaims,
  encodeTokenParts,
  createIdTokenClaims,
  signToken,
  createSigningKey,
} from '../../../../test/support/google/idTokens.ts';
import { useFunctionsEnvironment } from '../../../../test/support/jest/isolateEnvironment.ts';
import {
  neverRespond,
  respondJson,
  respondText,
  type Responder,
} from '../../../../test/support/google/stubServer.ts';
import {
  HOSTS,
  countOpenConnections,
  publishKeys,
  resetStubs,
  stubHost,
} from '../../../../test/support/google/stubGoogle.ts';

const PROJECT = 'demo-signed';
const key = createSigningKey('key-1');
const otherKey = createSigningKey('key-2');

useFunctionsEnvironment(PROJECT);
afterEach(resetStubs);

interface TokenRow {
  readonly name: string;
  readonly token: string;
}

const KEY_IDS = ['{"toString":1,"valueOf":1}', '{}', '["key-1"]', 'null', '1', 'true', '""'];
const ALGORITHMS = ['{"toString":1}', 'null', '"none"', '"RS512"', '"ES256"', '"rs256"'];
/** Token headers that Google never uses. */
const INVALID_HEADERS = [
  'null',
  '[]',
  '"text"',
  '{"alg":"RS256"}',
  `{"kid":"${key.id}"}`,
  ...KEY_IDS.map((kid) => `{"alg":"RS256","kid":${kid}}`),
  ...ALGORITHMS.map((alg) => `{"alg":${alg},"kid":"${key.id}"}`),
];

/** Creates tokens that Google cannot have signed, with these claims. */
function createMalformedTokens(claims: object): TokenRow[] {
  const [header = '', payload = '', signature = ''] = signToken(key, claims).split('.');
  // Algorithm confusion: the public key is the secret.
  const unsigned = encodeTokenParts({ alg: 'HS256', kid: key.id, typ: 'JWT' }, claims);
  const secret = key.publicKey.export({ type: 'spki', format: 'pem' });
  const hmac = createHmac('sha256', secret).update(unsigned).digest('base64url');
  return [
    { name: 'a token without dots', token: 'nonsense' },
    { name: 'a token of parts that are not JSON', token: 'a.b.c' },
    { name: 'a token of empty parts', token: '..' },
    { name: 'a token of two parts', token: `${header}.${payload}` },
    { name: 'a token of four parts', token: `${header}.${payload}.${signature}.${signature}` },
    { name: 'a token after another character', token: `~${header}.${payload}.${signature}` },
    { name: 'a token in standard base64', token: `${header}.${payload}+.${signature}` },
    { name: 'a token without a signature', token: `${header}.${payload}.` },
    { name: 'a token signed with the public key as a secret', token: `${unsigned}.${hmac}` },
    ...INVALID_HEADERS.map((json) => {
      const invalidHeader = Buffer.from(json).toString('base64url');
      const token = `${invalidHeader}.${payload}.${signature}`;
      return { name: `a token with the header ${json}`, token };
    }),
  ];
}

/** Creates well-formed tokens that are forged, expired, or for another project. */
function createInvalidTokens(claims: object): TokenRow[] {
  const [header = '', payload = '', signature = ''] = signToken(key, claims).split('.');
  const [, bobsPayload = ''] = encodeTokenParts({}, { ...claims, sub: 'bob' }).split('.');
  const invalidClaims = [
    ...[1, '9999999999', null].map((exp) => ({ exp })),
    ...[undefined, ['projects/other', 'other']].map((aud) => ({ aud })),
    ...[null, 'https://example.com/'].map((iss) => ({ iss })),
    { sub: '' },
    // The SDK quotes the audience in its message.
    { aud: '\nError while making request' },
    { aud: '\nError fetching Json Web Keys' },
  ];
  return [
    { name: 'a token of an unknown key', token: signToken(otherKey, claims) },
    {
      name: 'a token whose key ID is a property of every object',
      token: signToken({ ...key, id: 'toString' }, claims),
    },
    {
      name: 'a token signed with another key than it names',
      token: signToken({ ...otherKey, id: key.id }, claims),
    },
    {
      name: 'a token that was changed after it was signed',
      token: `${header}.${bobsPayload}.${signature}`,
    },
    {
      name: 'a token with a truncated payload',
      token: `${header}.${payload.slice(0, -2)}.${signature}`,
    },
    ...[null, [], 'text', 1].map((value) => {
      return {
        name: `a token with the payload ${JSON.stringify(value)}`,
        token: signToken(key, value),
      };
    }),
    ...invalidClaims.map((invalid) => {
      return {
        name: `a token with the claims ${JSON.stringify(invalid)}`,
        token: signToken(key, { ...claims, ...invalid }),
      };
    }),
  ];
}

const respondNonsense: Responder = (response) => response.socket?.end('nonsense');
/** The start of the SDK's messages about keys that it could not fetch. */
const KEY_FETCH_MESSAGE =
  /^Error (while making request|fetching public keys|fetching Json Web Keys)/;
/** Failures of the key server, for which the SDK has several messages. */
const OUTAGES: readonly { readonly name: string; readonly respond: Responder }[] = [
  { name: 'does not speak HTTP', respond: respondNonsense },
  { name: 'responds with 500', respond: respondJson({}, 500) },
  { name: 'responds with keys and 404', respond: respondJson({ 'key-1': '' }, 404) },
  { name: 'responds with HTML', respond: respondText('<html></html>') },
  { name: 'responds with an empty body', respond: respondText('') },
  { name: 'responds with an error', respond: respondJson({ error: 'backend_error' }) },
];

const createRequest = (headers: object) => ({ headers }) as unknown as Request;
let tokenCount = 0;
/** Signs a token that no other test has sent: verified tokens are cached. */
function signNewToken(claims: object): string {
  tokenCount += 1;
  return signToken(key, { ...claims, jti: `token-${tokenCount}` });
}

const TOKEN_TYPES = [
  {
    type: 'ID tokens',
    claims: createIdTokenClaims(PROJECT, 'alice'),
    host: HOSTS.idTokenKeys,
    keys: 'idTokenKeys',
    requestsOf100: 1,
    expectedCode: 'unauthenticated',
    verify: async (token: string) =>
      authenticate(createRequest({ authorization: `Bearer ${token}` })),
  },
  {
    type: 'App Check tokens',
    claims: createAppCheckClaims(PROJECT),
    host: HOSTS.appCheckKeys,
    keys: 'appCheckKeys',
    requestsOf100: 1,
    expectedCode: 'app-check',
    verify: async (token: string) =>
      verifyAppCheck(createRequest({ 'x-firebase-appcheck': token }), 'enforce'),
  },
] as const;

describe.each(TOKEN_TYPES)('verification of $type', (tokenType) => {
  const { claims, host, keys, expectedCode, verify } = tokenType;

  test.each(createMalformedTokens(claims))(
    'rejects $name, even during a key server outage',
    async ({ token }) => {
      await expect(verify(token)).rejects.toMatchObject({ code: expectedCode });
    },
  );

  test.each(createInvalidTokens(claims))('rejects $name', async ({ token }) => {
    publishKeys(key);

    await expect(verify(token)).rejects.toMatchObject({ code: expectedCode });
  });

  test.each(OUTAGES)(
    'is unavailable while the key server $name, and works again afterwards',
    async ({ respond }) => {
      stubHost(host, respond);

      const cause = { message: expect.stringMatching(KEY_FETCH_MESSAGE) as string };
      await expect(verify(signNewToken(claims))).rejects.toMatchObject({
        code: 'unavailable',
        cause,
      });

      publishKeys(key);
      await expect(verify(signNewToken(claims))).resolves.not.toThrow();
    },
  );

  test('60 concurrent verifications without cached keys fetch the keys once', async () => {
    const { [keys]: requests } = publishKeys(key);

    await Promise.all(Array.from({ length: 60 }, async () => verify(signNewToken(claims))));

    expect(requests.count).toBe(1);
  });

  test('60 concurrent verifications fail with one fetch, and the next one fetches again', async () => {
    const requests = stubHost(host, respondJson({}, 404));
    const calls = Array.from({ length: 60 }, async () => verify(signNewToken(claims)));

    const results = await Promise.allSettled(calls);
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect(requests.count).toBe(1);
    await expect(verify(signNewToken(claims))).rejects.toMatchObject({ code: 'unavailable' });
    expect(requests.count).toBe(2);
  });
});

const stall: Responder = (response) => {
  response.writeHead(200, { 'Content-Length': 100 }).write('{"');
};
const ACCOUNT_LOOKUP = {
  type: 'accounts',
  host: HOSTS.accounts,
  claims: {},
  requestsOf100: 100,
  verify: async () => assertNotRevoked({ uid: 'alice', signedInAt: Date.now() }),
};

describe.each([...TOKEN_TYPES, ACCOUNT_LOOKUP])('verification of $type', (row) => {
  const { host, claims, requestsOf100, verify } = row;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'performance', 'setImmediate'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test.each([
    { name: 'Google does not respond', respond: neverRespond },
    { name: 'Google stops in the middle of a response', respond: stall },
  ])('fails after 5 s and leaves no connections open if $name', async ({ respond }) => {
    const connectionsBefore = await countOpenConnections();
    const requests = stubHost(host, respond);
    const calls = Array.from({ length: 100 }, async () =>
      verify(signNewToken(claims)).catch((error: unknown) => (error as { code: unknown }).code),
    );
    while (requests.count < requestsOf100) await setImmediate();
    expect(await countOpenConnections()).toBeGreaterThanOrEqual(requestsOf100);

    await jest.advanceTimersByTimeAsync(5_000);

    expect(new Set(await Promise.all(calls))).toEqual(new Set(['unavailable']));
    while ((await countOpenConnections()) > connectionsBefore) await setImmediate();
    expect(requests.count).toBe(requestsOf100);
  });
});

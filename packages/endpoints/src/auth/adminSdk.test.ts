/**
 * ID tokens and App Check tokens: which ones are rejected, also while Google cannot be reached. Signatures are verified for
 * real, with keys made here.
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
} from '../../../../dev/fakeGoogle/idTokens.ts';
import { useFunctionsEnvironment } from '../../../../dev/testing/functionsEnvironment.ts';
import {
  neverRespond,
  respondJson,
  respondText,
  type Responder,
} from '../../../../dev/testing/stubServer.ts';
import {
  HOSTS,
  countOpenConnections,
  publishKeys,
  resetStubs,
  stubHost,
} from '../../../../dev/testing/stubGoogle.ts';

const PROJECT = 'demo-signed';
const key = createSigningKey('key-1');
const otherKey = createSigningKey('key-2');

useFunctionsEnvironment(PROJECT);
afterEach(resetStubs);

type Token = [what: string, token: string];

const KIDS = ['{"toString":1,"valueOf":1}', '{}', '["key-1"]', 'null', '1', 'true', '""'];
const ALGORITHMS = ['{"toString":1}', 'null', '"none"', '"RS512"', '"ES256"', '"rs256"'];
/** Headers that Google does not sign. */
const HEADERS = [
  'null',
  '[]',
  '"text"',
  '{"alg":"RS256"}',
  `{"kid":"${key.id}"}`,
  ...KIDS.map((kid) => `{"alg":"RS256","kid":${kid}}`),
  ...ALGORITHMS.map((alg) => `{"alg":${alg},"kid":"${key.id}"}`),
];

/** Tokens that Google cannot have signed, whatever their claims are. */
function malformedTokens(claims: object): Token[] {
  const [header = '', payload = '', signature = ''] = signToken(key, claims).split('.');
  // Algorithm confusion: the public key is the secret.
  const confused = encodeTokenParts({ alg: 'HS256', kid: key.id, typ: 'JWT' }, claims);
  const secret = key.publicKey.export({ type: 'spki', format: 'pem' });
  const hmac = createHmac('sha256', secret).update(confused).digest('base64url');
  return [
    ['nonsense', 'nonsense'],
    ['with parts that are not JSON', 'a.b.c'],
    ['with empty parts', '..'],
    ['with two parts', `${header}.${payload}`],
    ['with four parts', `${header}.${payload}.${signature}.${signature}`],
    ['with another character before it', `~${header}.${payload}.${signature}`],
    ['with characters of another base64', `${header}.${payload}+.${signature}`],
    ['without a signature', `${header}.${payload}.`],
    ['signed with the public key as a secret', `${confused}.${hmac}`],
    ...HEADERS.map((text): Token => {
      const part = Buffer.from(text).toString('base64url');
      return [`with the header ${text}`, `${part}.${payload}.${signature}`];
    }),
  ];
}

/** Tokens that look right, but are forged, expired, or not for this project. */
function wrongTokens(claims: object): Token[] {
  const [header = '', payload = '', signature = ''] = signToken(key, claims).split('.');
  const [, changed = ''] = encodeTokenParts({}, { ...claims, sub: 'bob' }).split('.');
  const wrongClaims = [
    ...[1, '9999999999', null].map((exp) => ({ exp })),
    ...[undefined, ['projects/other', 'other']].map((aud) => ({ aud })),
    ...[null, 'https://example.com/'].map((iss) => ({ iss })),
    { sub: '' },
    // The SDK quotes the audience in its message.
    { aud: '\nError while making request' },
    { aud: '\nError fetching Json Web Keys' },
  ];
  return [
    ['with an unknown key', signToken(otherKey, claims)],
    ['with a key id that every object has', signToken({ ...key, id: 'toString' }, claims)],
    ['signed with another key than it names', signToken({ ...otherKey, id: key.id }, claims)],
    ['changed after signing', `${header}.${changed}.${signature}`],
    ['with an unfinished payload', `${header}.${payload.slice(0, -2)}.${signature}`],
    ...[null, [], 'text', 1].map((value): Token => {
      return [`with the payload ${JSON.stringify(value)}`, signToken(key, value)];
    }),
    ...wrongClaims.map((wrong): Token => {
      return [`with ${JSON.stringify(wrong)}`, signToken(key, { ...claims, ...wrong })];
    }),
  ];
}

const nonsense: Responder = (response) => response.socket?.end('nonsense');
/** How the messages of the installed SDK begin then. */
const WORDS = /^Error (while making request|fetching public keys|fetching Json Web Keys)/;
/** Failed fetches of keys, for which the SDK has several messages. */
const OUTAGES: [what: string, reaction: Responder][] = [
  ['does not speak HTTP', nonsense],
  ['responds with 500', respondJson({}, 500)],
  ['responds with keys, but with 404', respondJson({ 'key-1': '' }, 404)],
  ['returns a page of HTML', respondText('<html></html>')],
  ['returns an empty body', respondText('')],
  ['returns an error', respondJson({ error: 'backend_error' })],
];

const send = (headers: object) => ({ headers }) as unknown as Request;
let tokens = 0;
/** A token that no other test has sent: verified tokens are cached. */
const freshToken = (claims: object) => signToken(key, { ...claims, jti: `token-${(tokens += 1)}` });

const KINDS = [
  {
    kind: 'ID tokens',
    claims: createIdTokenClaims(PROJECT, 'alice'),
    host: HOSTS.idTokenKeys,
    expectedCode: 'unauthenticated',
    use: async (token: string) => authenticate(send({ authorization: `Bearer ${token}` })),
  },
  {
    kind: 'App Check tokens',
    claims: createAppCheckClaims(PROJECT),
    host: HOSTS.appCheckKeys,
    expectedCode: 'app-check',
    use: async (token: string) => verifyAppCheck(send({ 'x-firebase-appcheck': token }), 'enforce'),
  },
];

describe.each(KINDS)('$kind', ({ claims, host, expectedCode, use }) => {
  test.each(malformedTokens(claims))(
    'are rejected %s, even during a key server outage',
    async (_what, token) => {
      await expect(use(token)).rejects.toMatchObject({ code: expectedCode });
    },
  );

  test.each(wrongTokens(claims))('are rejected %s', async (_what, token) => {
    publishKeys(key);

    await expect(use(token)).rejects.toMatchObject({ code: expectedCode });
  });

  test.each(OUTAGES)(
    'cannot be verified while the key server %s, and then are accepted',
    async (_what, reaction) => {
      stubHost(host, reaction);

      const cause = { message: expect.stringMatching(WORDS) as string };
      await expect(use(freshToken(claims))).rejects.toMatchObject({ code: 'unavailable', cause });

      publishKeys(key);
      await expect(use(freshToken(claims))).resolves.not.toThrow();
    },
  );
});

const stalls: Responder = (response) => {
  response.writeHead(200, { 'Content-Length': 100 }).write('{"');
};
const account = {
  kind: 'Accounts',
  host: HOSTS.accounts,
  claims: {},
  use: async () => assertNotRevoked({ uid: 'alice', signedInAt: Date.now() }),
};

describe.each([...KINDS, account])('$kind', ({ host, claims, use }) => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'performance', 'setImmediate'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test.each([
    ['does not respond', neverRespond],
    ['stalls', stalls],
  ])('while Google %s, calls fail after 5 s and leave no connections open', async (_, fault) => {
    const before = await countOpenConnections();
    const requests = stubHost(host, fault);
    const calls = Array.from({ length: 100 }, async () =>
      use(freshToken(claims)).catch((error: unknown) => (error as { code: unknown }).code),
    );
    while (requests.count < calls.length) await setImmediate();
    expect(await countOpenConnections()).toBeGreaterThanOrEqual(calls.length);

    await jest.advanceTimersByTimeAsync(5_000);

    expect(new Set(await Promise.all(calls))).toEqual(new Set(['unavailable']));
    while ((await countOpenConnections()) > before) await setImmediate();
    expect(requests.count).toBe(calls.length);
  });
});

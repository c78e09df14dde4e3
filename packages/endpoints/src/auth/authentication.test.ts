/** Who the caller is, and whether the sign-in is still valid; packages/endpoints/src/auth/tokens has which tokens are rejected. */
import type { Request } from 'firebase-functions/https';
import { authenticate, assertNotRevoked } from './authentication.ts';
import {
  encodeTokenParts,
  createIdTokenClaims,
  signToken,
  createSigningKey,
  createUnsignedToken,
} from '../../../../dev/fakeGoogle/idTokens.ts';
import { useFunctionsEnvironment } from '../../../../dev/testing/functionsEnvironment.ts';
import { respondJson, respondText, type Responder } from '../../../../dev/testing/stubServer.ts';
import { HOSTS, publishKeys, resetStubs, stubHost } from '../../../../dev/testing/stubGoogle.ts';

const PROJECT = 'demo-callers';
const UNREACHABLE = '127.0.0.1:9';
const key = createSigningKey('key-1');
const claims = createIdTokenClaims(PROJECT, 'alice');
const [otherHeader = '', otherClaims = ''] = encodeTokenParts(
  { kid: key.id, alg: 'RS256' },
  { ...claims, sub: 'bob' },
).split('.');
const now = Math.floor(Date.now() / 1000);

useFunctionsEnvironment(PROJECT);

afterEach(async () => {
  Reflect.deleteProperty(process.env, 'FIREBASE_AUTH_EMULATOR_HOST');
  Reflect.deleteProperty(process.env, 'FUNCTIONS_EMULATOR');
  await resetStubs();
});

/** The uid of the caller with a token, or the code of the error. */
async function callerOf(token: string, scheme = 'Bearer'): Promise<string> {
  const headers = { authorization: `${scheme} ${token}` };
  return authenticate({ headers } as unknown as Request).then(({ uid }) => uid, codeOf);
}

function codeOf(error: unknown): string {
  const { code, message } = error as Error & { readonly code?: string };
  return code ?? message;
}

test.each(['Bearer', 'bearer', 'BEARER '])(
  'the caller is the subject of a %s token',
  async (scheme) => {
    publishKeys(key);

    expect(await callerOf(signToken(key, claims), scheme)).toBe('alice');
    expect(await callerOf(`${signToken(key, claims)} `, scheme)).toBe('alice');
  },
);

test.each([
  ...[undefined, '.', '..', 'a/b', '__x__', 'x'.repeat(129), 1].map((sub) => ({ sub })),
  // The SDK does not require a subject for events of this type.
  { sub: undefined, event_type: 'beforeSendSms' },
])('rejects a token whose subject is not a valid document ID: %j', async (wrong) => {
  publishKeys(key);

  expect(await callerOf(signToken(key, { ...claims, ...wrong }))).toBe('unauthenticated');
});

const TENANT_CLAIMS = { ...claims, firebase: { sign_in_provider: 'password', tenant: 'studio-1' } };
const TENANT_MESSAGE =
  'ID tokens of Identity Platform tenants are not supported. Sign in without a tenant.';

test.each([
  { name: 'a deployed function', env: {}, token: signToken(key, TENANT_CLAIMS) },
  {
    name: 'the Auth emulator',
    env: { FUNCTIONS_EMULATOR: 'true', FIREBASE_AUTH_EMULATOR_HOST: UNREACHABLE },
    token: createUnsignedToken(TENANT_CLAIMS),
  },
])('$name rejects the token of a tenant and names tenants in the message', async (row) => {
  publishKeys(key);
  Object.assign(process.env, row.env);
  const request = { headers: { authorization: `Bearer ${row.token}` } } as unknown as Request;

  await expect(authenticate(request)).rejects.toMatchObject({
    code: 'unauthenticated',
    message: TENANT_MESSAGE,
  });
});

describe('a token that was verified before', () => {
  let known: string;
  let verified = 0;

  beforeEach(async () => {
    publishKeys(key);
    known = signToken(key, { ...claims, jti: `token-${(verified += 1)}` });
    await callerOf(known);
    await resetStubs();
  });

  test('is not verified again', async () => {
    expect(await callerOf(known)).toBe('alice');
  });

  test('is rejected after it expires', async () => {
    publishKeys(key);
    jest.spyOn(Date, 'now').mockReturnValue((now + 3_601) * 1_000);

    expect(await callerOf(known)).toBe('unauthenticated');
  });

  test.each([
    ['its header', (token: string) => token.replace(/^[^.]+/, otherHeader)],
    ['the end of its signature', (token: string) => token.replace(/.{8}$/, 'AAAAAAAA')],
    ['its claims', (token: string) => token.replace(/\.[^.]+\./, `.${otherClaims}.`)],
  ])('does not make a token pass that differs in %s', async (_what, forge) => {
    publishKeys(key);

    expect(await callerOf(forge(known))).toBe('unauthenticated');
  });
});

test('rejects every token if FIREBASE_AUTH_EMULATOR_HOST is set outside the emulator', async () => {
  publishKeys(key);
  process.env.FIREBASE_AUTH_EMULATOR_HOST = UNREACHABLE;

  expect(await callerOf(signToken(key, claims))).toBe('unavailable');
  expect(await callerOf(createUnsignedToken(claims))).toBe('unavailable');
});

const account = (more: object) => respondJson({ users: [{ localId: 'alice', ...more }] });
const failure = (code: number, message: string) =>
  respondJson({ error: { code, message, status: 'A_STATUS' } }, code);

describe('the Auth emulator', () => {
  beforeEach(() => {
    process.env.FUNCTIONS_EMULATOR = 'true';
    process.env.FIREBASE_AUTH_EMULATOR_HOST = process.env.GCE_METADATA_HOST;
  });

  test.each<[string, string, Responder, string]>([
    ['an unsigned token is that of its account', createUnsignedToken(claims), account({}), 'alice'],
    [
      'one without an account is rejected',
      createUnsignedToken(claims),
      respondJson({}),
      'unauthenticated',
    ],
    [
      'a signed token is rejected',
      signToken(key, { ...claims, jti: 'x' }),
      account({}),
      'unauthenticated',
    ],
    [
      'two parts are rejected',
      createUnsignedToken(claims).slice(0, -1),
      account({}),
      'unauthenticated',
    ],
    ['nonsense is rejected', 'nonsense', account({}), 'unauthenticated'],
  ])('%s', async (_what, token, reaction, outcome) => {
    stubHost(HOSTS.accounts, reaction);

    expect(await callerOf(token)).toBe(outcome);
  });

  test('is asked each time', async () => {
    const lookups = stubHost(HOSTS.accounts, account({}));

    await callerOf(createUnsignedToken(claims));
    await callerOf(createUnsignedToken(claims));

    expect(lookups.count).toBe(2);
  });

  test('is unavailable if it cannot be reached', async () => {
    process.env.FIREBASE_AUTH_EMULATOR_HOST = UNREACHABLE;

    expect(await callerOf(createUnsignedToken(claims))).toBe('unavailable');
  });
});

const MISSING_ROLE =
  'Firebase Auth denied the lookup of an account. CHECK_REVOKED requires that the service account of this function has the role roles/firebaseauth.viewer.';

test.each<[string, Responder, string]>([
  ['the account is as it was', account({}), 'valid'],
  ['no token was revoked since', account({ validSince: String(now) }), 'valid'],
  ['the account is disabled', account({ disabled: true }), 'unauthenticated'],
  ['its tokens were revoked', account({ validSince: String(now + 1) }), 'unauthenticated'],
  // A year that JavaScript writes, but does not read.
  ['the time is no date', account({ validSince: String(-(10 ** 11)) }), 'unauthenticated'],
  ['there is no account', respondJson({}), 'unauthenticated'],
  ['the lookup fails', failure(500, 'INTERNAL'), 'unavailable'],
  ['the lookup returns a page', respondText('<html></html>', 502), 'unavailable'],
  ['the lookup is not permitted', failure(403, 'PERMISSION_DENIED'), MISSING_ROLE],
])('if %s, a sign-in is looked up once', async (_what, reaction, outcome) => {
  publishKeys(key);
  // A token may be issued long after its user has signed in.
  const token = signToken(key, { ...claims, auth_time: now, iat: now + 1 });
  const signIn = await authenticate({
    headers: { authorization: `Bearer ${token}` },
  } as unknown as Request);
  const lookups = stubHost(HOSTS.accounts, reaction);

  const checked = assertNotRevoked(signIn);

  expect(await checked.then(() => 'valid', codeOf)).toBe(outcome);
  expect(lookups.count).toBe(1);
});

test('without an access token, a sign-in cannot be looked up', async () => {
  stubHost(HOSTS.metadata, respondJson({}, 500));

  await expect(assertNotRevoked({ uid: 'alice', signedInAt: now * 1000 })).rejects.toMatchObject({
    code: 'unavailable',
  });
});

test('each look-up asks for the access token, which the SDK does not cache', async () => {
  const issued = stubHost(HOSTS.metadata, respondJson({ access_token: 'a', expires_in: 1 }));
  stubHost(HOSTS.accounts, account({}));

  for (const count of [1, 2]) {
    await assertNotRevoked({ uid: 'alice', signedInAt: now * 1000 });
    expect(issued.count).toBe(count);
  }
});

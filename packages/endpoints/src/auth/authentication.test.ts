/** The caller of a request, and the lookup of revoked sign-ins. adminSdk.test.ts has the rejected tokens. */
import type { Request } from 'firebase-functions/https';
import { authenticate, assertNotRevoked } from './authentication.ts';
import {
  encodeTokenParts,
  createIdTokenClaims,
  signToken,
  createSigningKey,
  createUnsignedToken,
} from '../../../../test/support/google/idTokens.ts';
import { useFunctionsEnvironment } from '../../../../test/support/jest/isolateEnvironment.ts';
import {
  respondJson,
  respondText,
  type Responder,
} from '../../../../test/support/google/stubServer.ts';
import {
  HOSTS,
  publishKeys,
  resetStubs,
  stubHost,
} from '../../../../test/support/google/stubGoogle.ts';

const PROJECT = 'demo-callers';
const UNREACHABLE = '127.0.0.1:9';
const key = createSigningKey('key-1');
const claims = createIdTokenClaims(PROJECT, 'alice');
const [forgedHeader = '', forgedPayload = ''] = encodeTokenParts(
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

function createRequest(authorization: string): Request {
  return { headers: { authorization } } as unknown as Request;
}

/** Returns the uid of the caller with this token, or the code of the error. */
async function getCaller(token: string, scheme = 'Bearer'): Promise<string> {
  return authenticate(createRequest(`${scheme} ${token}`)).then(({ uid }) => uid, getErrorCode);
}

function getErrorCode(error: unknown): string {
  const { code, message } = error as Error & { readonly code?: string };
  return code ?? message;
}

test.each(['Bearer', 'bearer', 'BEARER '])(
  'the caller is the subject of a token with the scheme "%s"',
  async (scheme) => {
    publishKeys(key);

    expect(await getCaller(signToken(key, claims), scheme)).toBe('alice');
    expect(await getCaller(`${signToken(key, claims)} `, scheme)).toBe('alice');
  },
);

test.each([
  ...[undefined, '.', '..', 'a/b', '__x__', 'x'.repeat(129), 1].map((sub) => ({ sub })),
  // The SDK does not require a subject for events of this type.
  { sub: undefined, event_type: 'beforeSendSms' },
])('rejects a token whose subject is not a valid document ID: %j', async (invalidClaims) => {
  publishKeys(key);

  expect(await getCaller(signToken(key, { ...claims, ...invalidClaims }))).toBe('unauthenticated');
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

  await expect(authenticate(createRequest(`Bearer ${row.token}`))).rejects.toMatchObject({
    code: 'unauthenticated',
    message: TENANT_MESSAGE,
  });
});

describe('a token that was verified before', () => {
  let token: string;
  let tokenCount = 0;

  beforeEach(async () => {
    publishKeys(key);
    tokenCount += 1;
    token = signToken(key, { ...claims, jti: `token-${tokenCount}` });
    await getCaller(token);
    await resetStubs();
  });

  test('is not verified again', async () => {
    expect(await getCaller(token)).toBe('alice');
  });

  test('is rejected after it expires', async () => {
    publishKeys(key);
    jest.spyOn(Date, 'now').mockReturnValue((now + 3_601) * 1_000);

    expect(await getCaller(token)).toBe('unauthenticated');
  });

  test.each([
    { name: 'its header', part: /^[^.]+/, forgery: forgedHeader },
    { name: 'the end of its signature', part: /.{8}$/, forgery: 'AAAAAAAA' },
    { name: 'its claims', part: /(?<=\.)[^.]+(?=\.)/, forgery: forgedPayload },
  ])('does not let a token pass that differs in $name', async ({ part, forgery }) => {
    publishKeys(key);

    expect(await getCaller(token.replace(part, forgery))).toBe('unauthenticated');
  });
});

test('rejects every token if FIREBASE_AUTH_EMULATOR_HOST is set outside the emulator', async () => {
  publishKeys(key);
  process.env.FIREBASE_AUTH_EMULATOR_HOST = UNREACHABLE;

  expect(await getCaller(signToken(key, claims))).toBe('unavailable');
  expect(await getCaller(createUnsignedToken(claims))).toBe('unavailable');
});

const respondAccount = (fields: object = {}) =>
  respondJson({ users: [{ localId: 'alice', ...fields }] });
const respondNoAccount = respondJson({});
const respondError = (code: number, message: string) =>
  respondJson({ error: { code, message, status: 'A_STATUS' } }, code);

describe('the Auth emulator', () => {
  beforeEach(() => {
    process.env.FUNCTIONS_EMULATOR = 'true';
    process.env.FIREBASE_AUTH_EMULATOR_HOST = process.env.GCE_METADATA_HOST;
  });

  test('accepts an unsigned token of an account', async () => {
    stubHost(HOSTS.accounts, respondAccount());

    expect(await getCaller(createUnsignedToken(claims))).toBe('alice');
  });

  test.each([
    {
      name: 'a token without an account',
      token: createUnsignedToken(claims),
      respond: respondNoAccount,
    },
    {
      name: 'a signed token',
      token: signToken(key, { ...claims, jti: 'x' }),
      respond: respondAccount(),
    },
    {
      name: 'a token of two parts',
      token: createUnsignedToken(claims).slice(0, -1),
      respond: respondAccount(),
    },
    { name: 'nonsense', token: 'nonsense', respond: respondAccount() },
  ])('rejects $name', async ({ token, respond }) => {
    stubHost(HOSTS.accounts, respond);

    expect(await getCaller(token)).toBe('unauthenticated');
  });

  test('is asked about each request', async () => {
    const lookups = stubHost(HOSTS.accounts, respondAccount());

    await getCaller(createUnsignedToken(claims));
    await getCaller(createUnsignedToken(claims));

    expect(lookups.count).toBe(2);
  });

  test('makes requests fail with unavailable if it cannot be reached', async () => {
    process.env.FIREBASE_AUTH_EMULATOR_HOST = UNREACHABLE;

    expect(await getCaller(createUnsignedToken(claims))).toBe('unavailable');
  });
});

const MISSING_ROLE =
  'Firebase Auth denied the lookup of an account. CHECK_REVOKED requires that the service account of this function has the role roles/firebaseauth.viewer.';

test.each<{ name: string; respond: Responder; result: string }>([
  { name: 'the account has no revoked tokens', respond: respondAccount(), result: 'valid' },
  {
    name: 'tokens were last revoked before the sign-in',
    respond: respondAccount({ validSince: String(now) }),
    result: 'valid',
  },
  {
    name: 'the account is disabled',
    respond: respondAccount({ disabled: true }),
    result: 'unauthenticated',
  },
  {
    name: 'tokens were revoked after the sign-in',
    respond: respondAccount({ validSince: String(now + 1) }),
    result: 'unauthenticated',
  },
  {
    // JavaScript writes this year, but cannot parse it.
    name: 'the time of the revocation cannot be parsed',
    respond: respondAccount({ validSince: String(-(10 ** 11)) }),
    result: 'unauthenticated',
  },
  { name: 'the account does not exist', respond: respondNoAccount, result: 'unauthenticated' },
  {
    name: 'the lookup fails with 500',
    respond: respondError(500, 'INTERNAL'),
    result: 'unavailable',
  },
  {
    name: 'the lookup returns HTML',
    respond: respondText('<html></html>', 502),
    result: 'unavailable',
  },
  {
    name: 'the lookup is not permitted',
    respond: respondError(403, 'PERMISSION_DENIED'),
    result: MISSING_ROLE,
  },
])('assertNotRevoked asks Firebase Auth once if $name', async ({ respond, result }) => {
  publishKeys(key);
  // A token may be issued long after its user has signed in.
  const token = signToken(key, { ...claims, auth_time: now, iat: now + 1 });
  const signIn = await authenticate(createRequest(`Bearer ${token}`));
  const lookups = stubHost(HOSTS.accounts, respond);

  expect(await assertNotRevoked(signIn).then(() => 'valid', getErrorCode)).toBe(result);
  expect(lookups.count).toBe(1);
});

test('assertNotRevoked throws unavailable if there is no access token', async () => {
  stubHost(HOSTS.metadata, respondJson({}, 500));

  await expect(assertNotRevoked({ uid: 'alice', signedInAt: now * 1000 })).rejects.toMatchObject({
    code: 'unavailable',
  });
});

test('assertNotRevoked gets an access token for each lookup, because the SDK caches none', async () => {
  const tokenRequests = stubHost(HOSTS.metadata, respondJson({ access_token: 'a', expires_in: 1 }));
  stubHost(HOSTS.accounts, respondAccount());

  for (const count of [1, 2]) {
    await assertNotRevoked({ uid: 'alice', signedInAt: now * 1000 });
    expect(tokenRequests.count).toBe(count);
  }
});

test('assertNotRevoked asks once more with a new access token if the first one is rejected', async () => {
  const tokenRequests = stubHost(
    HOSTS.metadata,
    respondJson({ access_token: 'a', expires_in: 3600 }),
  );
  const responses = [respondError(401, 'UNAUTHENTICATED'), respondAccount()];
  const lookups = stubHost(HOSTS.accounts, (...call) => responses[lookups.count - 1]?.(...call));

  await assertNotRevoked({ uid: 'alice', signedInAt: now * 1000 });

  expect([lookups.count, tokenRequests.count]).toEqual([2, 2]);
});

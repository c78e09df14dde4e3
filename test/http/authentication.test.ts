/**
 * RS256 signatures are verified for real, with a key pair made here and without an emulator; only the fetch of Google's
 * public keys is stubbed.
 */
import { createHmac, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { logger } from 'firebase-functions/logger';
import nock from 'nock';
import { endpoint } from '../../functions/src/http/endpoint.ts';
import { functionsEnvironment } from '../support/functionsEnvironment.ts';
import {
  cutKeyServer,
  failKeyServer,
  hangKeyServer,
  noKeyServer,
  publishInstead,
  publishKeys,
} from '../support/googleKeys.ts';
import {
  encoded,
  idTokenClaims,
  signedToken,
  signingKey,
  unsignedToken,
} from '../emulator/google/idTokens.ts';
import { serveInProcess, type ServedEndpoint } from '../support/inProcess.ts';
import { rawRequest, type RawResponse } from '../support/rawRequest.ts';

const PROJECT = 'demo-signed';
const BAD_TOKEN = 'The ID token is invalid or expired. Sign in again.';
const UNAVAILABLE = 'The service is temporarily unavailable. Please try again in a few seconds.';

const key = signingKey('key-1');
const unknownKey = signingKey('key-2');
let claims = idTokenClaims(PROJECT, 'alice');
const now = Math.floor(Date.now() / 1000);

const whoAmI = endpoint({
  method: 'POST',
  path: '/who-am-i',
  access: 'signedIn',
  summary: 'Who am I',
  description: 'Returns the uid of the caller.',
  response: z.object({ uid: z.string() }),
  errors: {},
  handle: ({ caller }) => Promise.resolve({ uid: caller.uid }),
});

let served: ServedEndpoint;

functionsEnvironment(PROJECT, { DEADLINE_SECONDS: '30' });

beforeAll(async () => {
  served = await serveInProcess(whoAmI);
});

afterAll(() => served.stop());

beforeEach(() => {
  // Verified tokens are cached, so each test uses its own.
  claims = { ...claims, jti: randomUUID() };
  jest.spyOn(logger, 'error').mockImplementation();
  jest.spyOn(logger, 'warn').mockImplementation();
});

afterEach(() => {
  noKeyServer();
  jest.restoreAllMocks();
  for (const name of ['FIREBASE_AUTH_EMULATOR_HOST', 'FUNCTIONS_EMULATOR', 'CHECK_REVOKED']) {
    Reflect.deleteProperty(process.env, name);
  }
});

async function send(token: string): Promise<RawResponse> {
  return rawRequest(served.origin, '/who-am-i', {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
  });
}

/** Empties the service's key cache: the cached keys expire, and fetching new ones fails. */
async function forgetKeys(): Promise<void> {
  jest.spyOn(Date, 'now').mockReturnValue((now + 24 * 3600) * 1000);
  noKeyServer();
  cutKeyServer();
  const { status } = await send(signedToken(key, { ...claims, jti: randomUUID() }));
  jest.mocked(Date.now).mockRestore();
  noKeyServer();
  expect(status).toBe(503);
}

/** Makes the service fetch these keys and verify a token with them, so that it trusts them. */
async function proveKeys(): Promise<void> {
  await forgetKeys();
  publishKeys(key);
  expect((await send(signedToken(key, { ...claims, jti: randomUUID() }))).status).toBe(200);
}

function expectRefusal(response: RawResponse, status: number, message: string): void {
  expect(response).toMatchObject({ status, text: JSON.stringify({ message }) });
}

/** A token signed with HS256, using the public key as the secret (algorithm confusion). */
function tokenWithPublicKeyAsSecret(): string {
  const content = encoded({ alg: 'HS256', kid: key.id, typ: 'JWT' }, claims);
  const secret = key.publicKey.export({ type: 'spki', format: 'pem' });
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
}

test('accepts a token that Google has signed for this project', async () => {
  publishKeys(key);

  expect(await send(signedToken(key, claims))).toMatchObject({
    status: 200,
    text: '{"uid":"alice"}',
  });
});

test.each([
  ['has expired', signedToken(key, { ...claims, exp: now - 1 })],
  ['is for another project', signedToken(key, { ...claims, aud: 'demo-another' })],
  [
    'is from another issuer',
    signedToken(key, { ...claims, iss: 'https://securetoken.google.com/demo-another' }),
  ],
  ['is signed with an unknown key', signedToken(unknownKey, claims)],
  ['is signed with another key than it names', signedToken({ ...unknownKey, id: key.id }, claims)],
  ['was changed after signing', changed(signedToken(key, claims), { ...claims, sub: 'bob' })],
  ['is unsigned', unsignedToken(claims)],
  ['is unsigned and names a key', `${encoded({ alg: 'none', kid: key.id }, claims)}.`],
  ['is signed with the public key as a secret', tokenWithPublicKeyAsSecret()],
  ['has no subject', signedToken(key, { ...claims, sub: undefined })],
  ['has an empty subject', signedToken(key, { ...claims, sub: '' })],
  ['has a subject that is not a valid document id', signedToken(key, { ...claims, sub: 'a/b' })],
  [
    'has no subject, but an event type for which the SDK does not require one',
    signedToken(key, { ...claims, sub: undefined, event_type: 'beforeSendSms' }),
  ],
  ['has the payload null', signedToken(key, null)],
  ['has a string as its payload', signedToken(key, 'text')],
  ['is not a JWT', 'nonsense'],
])('refuses a token that %s', async (_what, token) => {
  await proveKeys();

  const response = await send(token);

  expectRefusal(response, 401, BAD_TOKEN);
  expect(response.headers['www-authenticate']).toBe('Bearer');
});

test.each([
  ['cannot be reached', cutKeyServer],
  ['responds with 500', () => failKeyServer(500)],
  ['responds with 404', () => failKeyServer(404)],
])('returns 503, not 401, while the key server %s', async (_what, break_) => {
  await forgetKeys();
  break_();

  const response = await send(signedToken(key, claims));

  expectRefusal(response, 503, UNAVAILABLE);
  expect(response.headers['retry-after']).toMatch(/^\d+$/);
  expect(response.headers).not.toHaveProperty('www-authenticate');
});

test.each(['false', 'true'])(
  'logs that ID tokens cannot be verified, and why, where CHECK_REVOKED is %s',
  async (checkRevoked) => {
    await forgetKeys();
    process.env.CHECK_REVOKED = checkRevoked;
    failKeyServer(500);
    jest.mocked(logger.error).mockClear();

    await send(signedToken(key, claims));

    expect(logger.error).toHaveBeenCalledWith('ID tokens cannot be verified.', {
      reason: expect.stringContaining('public keys') as string,
    });
  },
);

test.each<[string, () => unknown]>([
  ['returns an empty document', () => publishInstead('{}', 'application/json')],
  ['returns a page of HTML', () => publishInstead('<html></html>', 'text/html')],
  ['returns HTML labelled as JSON', () => publishInstead('<html></html>', 'application/json')],
  ['returns null', () => publishInstead('null', 'application/json')],
  ['returns a list', () => publishInstead('[]', 'application/json')],
  ['returns an empty body', () => publishInstead('', 'application/json')],
  ['returns the keys of another issuer', () => publishKeys(unknownKey)],
])('returns 503, and soon fetches again, when the key server %s', async (_what, publish) => {
  await forgetKeys();
  publish();

  const refused = await send(signedToken(key, claims));
  noKeyServer();
  publishKeys(key);
  jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 1_000);
  const later = await send(signedToken(key, claims));

  expectRefusal(refused, 503, UNAVAILABLE);
  expect(later.status).toBe(200);
});

test('accepts tokens again as soon as the key server is back', async () => {
  await forgetKeys();
  cutKeyServer();
  const refused = await send(signedToken(key, claims));
  noKeyServer();
  publishKeys(key);

  expect(refused.status).toBe(503);
  expect((await send(signedToken(key, claims))).status).toBe(200);
});

test('accepts tokens again after a key server that never responded', async () => {
  await forgetKeys();
  hangKeyServer();
  const refused = await Promise.all([1, 2, 3].map(() => send(signedToken(key, claims))));
  noKeyServer();
  publishKeys(key);

  expect(refused.map(({ status }) => status)).toEqual([503, 503, 503]);
  expect((await send(signedToken(key, claims))).status).toBe(200);
});

test('fetches the keys once for many concurrent requests', async () => {
  await forgetKeys();
  const server = publishKeys(key);
  const uids = Array.from({ length: 20 }, (_, index) => `user-${index}`);

  const responses = await Promise.all(
    uids.map((uid) => send(signedToken(key, idTokenClaims(PROJECT, uid)))),
  );

  expect(responses.map(({ text }) => text)).toEqual(uids.map((uid) => JSON.stringify({ uid })));
  expect(server.requestCount()).toBe(1);
});

test('accepts valid tokens that arrive together with invalid ones', async () => {
  await forgetKeys();
  publishKeys(key);
  const tokens = [signedToken(unknownKey, claims), signedToken(key, claims), 'nonsense'];

  const statuses = (await Promise.all([...tokens, ...tokens].map(send))).map(
    ({ status }) => status,
  );

  expect([statuses[1], statuses[4]]).toEqual([200, 200]);
  expect([statuses[2], statuses[5]]).toEqual([401, 401]);
  // 401 or 503: until the keys have verified a token, an unknown key may be their fault.
  for (const status of [statuses[0], statuses[3]]) expect([401, 503]).toContain(status);
});

test('does not call a failing key server once per request', async () => {
  await forgetKeys();
  const server = failKeyServer(500);

  const responses = await Promise.all(
    Array.from({ length: 20 }, () => send(signedToken(key, claims))),
  );

  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]));
  // Only requests that arrive after the first failure cause another fetch.
  expect(server.requestCount()).toBeLessThan(20);
});

test('rejects every token if the emulator’s variable is set outside the emulator', async () => {
  await proveKeys();
  jest.mocked(logger.warn).mockClear();
  process.env.FIREBASE_AUTH_EMULATOR_HOST = '127.0.0.1:9099';

  for (const token of [signedToken(key, claims), unsignedToken(claims)]) {
    expectRefusal(await send(token), 503, UNAVAILABLE);
  }
  expect(logger.warn).toHaveBeenCalledWith(
    expect.objectContaining({
      cause: new Error(
        'FIREBASE_AUTH_EMULATOR_HOST is set outside the emulator: all tokens are rejected.',
      ),
    }),
    expect.anything(),
  );
});

test('checks with Firebase Auth whether a token is revoked, if the parameter says so', async () => {
  await proveKeys();
  const known = signedToken(key, claims);
  expect((await send(known)).status).toBe(200);
  process.env.CHECK_REVOKED = 'true';
  process.env.GCE_METADATA_HOST = '127.0.0.1:9'; // Nothing listens there.

  const response = await send(known);

  // The test has no credentials for Firebase Auth: the 503 shows that the check was attempted.
  expectRefusal(response, 503, UNAVAILABLE);
  Reflect.deleteProperty(process.env, 'GCE_METADATA_HOST');
});

test.each<[string, number, object]>([
  ['an account that is as it was', 200, {}],
  ['a disabled account', 401, { disabled: true }],
  ['an account whose tokens were revoked', 401, { validSince: String(now + 60) }],
  ['no account', 401, {}],
])('with a revocation check, a token of %s gets %d', async (what, status, account) => {
  await proveKeys();
  process.env.CHECK_REVOKED = 'true';
  process.env.GCE_METADATA_HOST = 'metadata.test';
  nock('http://metadata.test')
    .get(/^\/computeMetadata\/v1\/instance\/service-accounts\/default\/token\?/)
    .optionally()
    .reply(200, { access_token: 'a-token', expires_in: 3600 });
  const lookup = nock('https://identitytoolkit.googleapis.com')
    .post(`/v1/projects/${PROJECT}/accounts:lookup`)
    .reply(200, what === 'no account' ? {} : { users: [{ localId: 'alice', ...account }] });

  const response = await send(signedToken(key, claims));

  expect(response.status).toBe(status);
  expect(lookup.isDone()).toBe(true);
  Reflect.deleteProperty(process.env, 'GCE_METADATA_HOST');
});

afterAll(() => {
  nock.restore();
});

test('caches a verified token until it expires', async () => {
  await proveKeys();
  const token = signedToken(key, claims);
  const first = await send(token);
  await forgetKeys();
  cutKeyServer();

  const again = await send(token);
  const other = await send(signedToken(key, { ...claims, jti: randomUUID() }));
  noKeyServer();
  publishKeys(key);
  jest.spyOn(Date, 'now').mockReturnValue((now + 4000) * 1000);
  const expired = await send(token);

  expect([first, again, other, expired].map(({ status }) => status)).toEqual([200, 200, 503, 401]);
});

/** The token with its claims replaced after signing. */
function changed(token: string, others: object): string {
  const [header = '', , signature = ''] = token.split('.');
  return [header, encoded({}, others).split('.')[1], signature].join('.');
}

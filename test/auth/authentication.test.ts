/**
 * RS256 signatures are verified for real, with a key pair made here and without an emulator; only the fetch of Google's
 * public keys and the lookup of accounts are stubbed.
 */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { getApps } from 'firebase-admin/app';
import { logger } from 'firebase-functions/logger';
import { endpoint } from '../../functions/src/http/endpoint.ts';
import { functionsEnvironment } from '../support/functionsEnvironment.ts';
import {
  HOSTS,
  noKeyServer,
  publishKeys,
  simulate,
  keysExpireBetweenTests,
} from '../support/googleKeys.ts';
import { forgedTokens, malformedTokens } from '../support/invalidTokens.ts';
import {
  idTokenClaims,
  signedToken,
  signingKey,
  unsignedToken,
} from '../emulator/google/idTokens.ts';
import { rawRequest, type RawResponse } from '../support/rawRequest.ts';
import { servedEndpoint, UNDESCRIBED } from '../support/servedEndpoint.ts';
import {
  breaksOff,
  resets,
  respondsWith,
  respondsWithText,
  startScriptedServer,
  type Reaction,
  type ScriptedServer,
} from '../support/scriptedServer.ts';

const PROJECT = 'demo-signed';
const BODIES: Readonly<Record<number, string>> = {
  200: '{"uid":"alice"}',
  401: '{"message":"The ID token is invalid or expired. Sign in again."}',
  500: '{"message":"Something went wrong on our side. Please try again later."}',
  503: '{"message":"The service is temporarily unavailable. Please try again in a few seconds."}',
};
const MISSING_ROLE =
  'Firebase Auth refused to look up an account. CHECK_REVOKED requires that the service account of this function has the role roles/firebaseauth.viewer.';

const key = signingKey('key-1');
const document = { [key.id]: key.publicKey.export({ type: 'spki', format: 'pem' }) };
const unknownKey = signingKey('key-2');
const claims = idTokenClaims(PROJECT, 'alice');
const now = Math.floor(Date.now() / 1000);

const served = servedEndpoint(
  endpoint({
    ...UNDESCRIBED,
    method: 'POST',
    path: '/who-am-i',
    access: 'signedIn',
    response: z.object({ uid: z.string() }),
    handle: ({ caller }) => Promise.resolve({ uid: caller.uid }),
  }),
);
const clock = keysExpireBetweenTests();
let metadata: ScriptedServer;

functionsEnvironment(PROJECT, { DEADLINE_SECONDS: '30' });

beforeAll(async () => {
  metadata = await startScriptedServer();
  process.env.GCE_METADATA_HOST = metadata.address;
});

afterAll(async () => {
  Reflect.deleteProperty(process.env, 'GCE_METADATA_HOST');
  await metadata.stop();
});

beforeEach(() => {
  jest.spyOn(logger, 'error').mockImplementation();
  jest.spyOn(logger, 'warn').mockImplementation();
});

afterEach(() => {
  noKeyServer();
  jest.restoreAllMocks();
  Reflect.deleteProperty(process.env, 'FIREBASE_AUTH_EMULATOR_HOST');
  Reflect.deleteProperty(process.env, 'CHECK_REVOKED');
});

async function send(token: string): Promise<RawResponse> {
  return rawRequest(served.origin, '/who-am-i', {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
  });
}

/** A valid token that differs from all others: verified tokens are cached. */
function validToken(): string {
  return signedToken(key, { ...claims, jti: randomUUID() });
}

/** Sends a token, and expects a status with its body and headers. */
async function expectStatus(status: number, token = validToken()): Promise<void> {
  const { text, headers, ...response } = await send(token);
  expect([response.status, text]).toEqual([status, BODIES[status]]);
  expect(headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
  expect(headers['retry-after'] !== undefined).toBe(status === 503);
}

test.each<[string, string]>([
  ...malformedTokens(key, claims),
  [
    'with an issuer of another project',
    signedToken(key, { ...claims, iss: `${String(claims.iss)}-2` }),
  ],
])('refuses a token %s without asking for keys', async (_what, token) => {
  const fetches = publishKeys(key);

  await expectStatus(401, token);
  expect(fetches.count).toBe(0);
  expect(logger.error).not.toHaveBeenCalled();
});

test.each<[string, string]>([
  ...forgedTokens(key, unknownKey, claims),
  ...[undefined, '', '.', '..', 'a/b', '__x__', 'x'.repeat(129), 1].map((sub): [string, string] => [
    `with the subject ${String(sub).slice(0, 9)}`,
    signedToken(key, { ...claims, sub }),
  ]),
  [
    'without a subject, but of an event type for which the SDK does not require one',
    signedToken(key, { ...claims, sub: undefined, event_type: 'beforeSendSms' }),
  ],
])('refuses a token %s, also if it is the first, and keeps the keys', async (_what, token) => {
  const fetches = publishKeys(key);

  await expectStatus(401, token);
  await expectStatus(200);
  await expectStatus(401, token);

  expect(fetches.count).toBe(1);
  expect(logger.error).not.toHaveBeenCalled();
});

test.each<[string, Reaction]>([
  ['resets the connection', resets],
  ['breaks off', breaksOff('{"key-1":')],
  ['responds with 500', respondsWith({}, 500)],
  ['responds with keys, but with 404', respondsWith(document, 404)],
  ['returns an empty object', respondsWith({})],
  ['returns an error', respondsWith({ error: 'backend_error' })],
  ['returns null', respondsWith(null)],
  ['returns a list', respondsWith([])],
  ['returns keys that are no keys', respondsWith({ 'key-1': '-----BEGIN CERTIFICATE-----', a: 1 })],
  ['returns a page of HTML', respondsWithText('<html></html>')],
  ['returns an empty body', respondsWithText('')],
])('returns 503 while the key server %s, then 200', async (_what, reaction) => {
  simulate(HOSTS.idTokenKeys, reaction);
  await expectStatus(503);
  expect(jest.mocked(logger.error).mock.calls).toEqual([
    [
      'The public keys of ID tokens could not be fetched.',
      { reason: expect.any(String) as string },
    ],
  ]);

  publishKeys(key);
  clock.aheadMs += 1_000;
  await expectStatus(200);
});

test('tries a second time at once if a fetch of the keys fails', async () => {
  simulate(HOSTS.idTokenKeys, (response, request) => {
    publishKeys(key);
    resets(response, request);
  });

  await expectStatus(200);
});

test.each([
  ['for as long as the key server allows', 'public, max-age=19442, must-revalidate', 19_442],
  ['for a minute if it allows less', 'no-cache, max-age=0', 60],
  ['for 6 h if it does not say', 'public', 6 * 3_600],
])('uses keys %s', async (_what, cacheControl, seconds) => {
  const fetches = publishKeys(key, cacheControl);
  await send(validToken());
  clock.aheadMs += (seconds - 10) * 1_000;
  await send(validToken());
  expect(fetches.count).toBe(1);
  clock.aheadMs += 10_000;
  await send(validToken());

  expect(fetches.count).toBe(2);
  // The app with the keys, and perhaps the one that looks up accounts.
  expect(getApps().length).toBeLessThanOrEqual(2);
});

test.each([
  [401, 'has expired', (now + 3_601) * 1_000, 0],
  [503, 'would have expired if the clock had not been set back', (now - 3_600) * 1_000, 3_601_000],
  [200, 'is valid, and its keys have expired', now * 1_000, 3_500_000],
])('returns %d to a cached token that %s', async (status, _what, time, passed) => {
  publishKeys(key, 'max-age=60');
  const token = validToken();
  await expectStatus(200, token);
  noKeyServer();

  jest.spyOn(Date, 'now').mockReturnValue(time);
  clock.aheadMs += passed;

  await expectStatus(status, token);
});

test('rejects every token if the emulator’s variable is set outside the emulator', async () => {
  publishKeys(key);
  process.env.FIREBASE_AUTH_EMULATOR_HOST = '127.0.0.1:9099';

  await expectStatus(503);
  await expectStatus(503, unsignedToken(claims));
  expect(logger.warn).toHaveBeenCalledWith(
    expect.objectContaining({
      cause: new Error(
        'FIREBASE_AUTH_EMULATOR_HOST is set outside the emulator: all tokens are rejected.',
      ),
    }),
    expect.anything(),
  );
});

describe('with a revocation check', () => {
  /** The SDK replaces a token that expires so soon before each call. */
  const ACCESS_TOKEN = { access_token: 'a-token', expires_in: 1 };
  const accounts = (more: object) => respondsWith({ users: [{ localId: 'alice', ...more }] });
  const failure = (code: number, message: string) =>
    respondsWith({ error: { code, message, status: 'A_STATUS' } }, code);

  test.each<[string, number, Reaction]>([
    ['the account is as it was', 200, accounts({})],
    ['no token was revoked since', 200, accounts({ validSince: String(now - 10) })],
    ['the account is disabled', 401, accounts({ disabled: true })],
    ['its tokens were revoked', 401, accounts({ validSince: String(now + 60) })],
    ['there is no account', 401, respondsWith({})],
    ['the lookup fails', 503, failure(500, 'INTERNAL')],
    ['the lookup is not authorized', 503, failure(401, 'UNAUTHENTICATED')],
    ['too many lookups were made', 503, failure(429, 'QUOTA_EXCEEDED')],
    ['the lookup returns a page', 503, respondsWithText('<html></html>', 502)],
    ['the lookup returns null', 503, respondsWith(null)],
    ['the lookup is not permitted', 500, failure(403, 'PERMISSION_DENIED')],
    ['the API is not enabled', 500, failure(403, 'Identity Toolkit API has not been used.')],
  ])('if %s, the response is %d, and the keys are kept', async (_what, status, reaction) => {
    const fetches = publishKeys(key);
    const token = validToken();
    await expectStatus(200, token);
    process.env.CHECK_REVOKED = 'true';
    metadata.play(respondsWith(ACCESS_TOKEN));
    const lookups = simulate(HOSTS.accounts, reaction);

    await expectStatus(status, token);
    process.env.CHECK_REVOKED = 'false';

    expect(lookups.count).toBe(1);
    expect(metadata.seen[0]?.path).toMatch(/cloud-platform$/);
    const errors = jest.mocked(logger.error).mock.calls.map(([error]: unknown[]) => error);
    expect(errors).toEqual(status === 500 ? [new Error(MISSING_ROLE)] : []);
    await expectStatus(200);
    expect(fetches.count).toBe(1);
  });

  test('the response is 503 without an access token', async () => {
    publishKeys(key);
    process.env.CHECK_REVOKED = 'true';
    metadata.play(respondsWith({}, 500));

    await expectStatus(503);
  });
});

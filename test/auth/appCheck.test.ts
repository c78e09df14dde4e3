/**
 * App Check tokens are verified for real, with a key pair made here; only the fetch of Google's public keys is stubbed.
 */
import { logger } from 'firebase-functions/logger';
import * as z from 'zod';
import { endpoint } from '../../functions/src/http/endpoint.ts';
import { appCheckClaims, signedToken, signingKey } from '../emulator/google/idTokens.ts';
import { functionsEnvironment } from '../support/functionsEnvironment.ts';
import {
  HOSTS,
  noKeyServer,
  publishAppCheckKeys,
  simulate,
  keysExpireBetweenTests,
} from '../support/googleKeys.ts';
import { forgedTokens, malformedTokens } from '../support/invalidTokens.ts';
import { rawRequest, type RawResponse } from '../support/rawRequest.ts';
import { servedEndpoint, UNDESCRIBED } from '../support/servedEndpoint.ts';
import { hangs, resets, respondsWith, type Reaction } from '../support/scriptedServer.ts';

const PROJECT = 'demo-attested';
const key = signingKey('key-1');
const claims = appCheckClaims(PROJECT);

const clock = keysExpireBetweenTests();
const served = servedEndpoint(
  endpoint({
    ...UNDESCRIBED,
    method: 'GET',
    path: '/open',
    access: 'public',
    response: z.object({ isDone: z.boolean() }),
    handle: () => Promise.resolve({ isDone: true }),
  }),
);

functionsEnvironment(PROJECT, { APP_CHECK: 'enforce' });

beforeEach(() => {
  process.env.APP_CHECK = 'enforce';
  jest.spyOn(logger, 'error').mockImplementation();
  jest.spyOn(logger, 'warn').mockImplementation();
});

afterEach(() => {
  noKeyServer();
  jest.restoreAllMocks();
});

async function send(token?: string): Promise<RawResponse> {
  return rawRequest(served.origin, '/open', {
    headers: token === undefined ? {} : { 'X-Firebase-AppCheck': token },
  });
}

function expectRefused(response: RawResponse): void {
  const message = 'The X-Firebase-AppCheck header must be a valid App Check token.';
  // A new ID token would not help, so the response does not ask for one.
  expect(response).toMatchObject({ status: 403, text: JSON.stringify({ message }) });
  expect(response.headers).not.toHaveProperty('www-authenticate');
  expect(response.headers['x-error-code']).toBe('app-check');
  expect(response.headers['cache-control']).toBe('private, no-store');
}

test.each<[string, string | undefined]>([
  ['that is missing', undefined],
  ['that is empty', ''],
  ...malformedTokens(key, claims),
  ['without an audience', signedToken(key, { ...claims, aud: undefined })],
])('refuses a token %s without asking for keys', async (_what, token) => {
  const fetches = publishAppCheckKeys(key);

  expectRefused(await send(token));
  expect(fetches.count).toBe(0);
  expect(logger.error).not.toHaveBeenCalled();
});

test.each<[string, string]>([
  ...forgedTokens(key, signingKey('key-2'), claims),
  ['without an app', signedToken(key, { ...claims, sub: '' })],
])('refuses a token %s, also if it is the first, and keeps the keys', async (_what, token) => {
  const fetches = publishAppCheckKeys(key);

  expectRefused(await send(token));
  expect((await send(signedToken(key, claims))).status).toBe(200);
  expectRefused(await send(token));

  expect(fetches.count).toBe(1);
  expect(logger.error).not.toHaveBeenCalled();
});

// test/auth/authentication has other failures of a key server.
test.each<[string, Reaction]>([
  ['responds with 500', respondsWith({}, 500)],
  ['returns an empty object', respondsWith({})],
  ['returns null', respondsWith(null)],
  ['returns no keys', respondsWith({ keys: [] })],
  ['returns keys that are no keys', respondsWith({ keys: [null, 1, {}, { kty: 'RSA', n: '' }] })],
])('returns 503 while the key server %s, then accepts tokens again', async (_what, reaction) => {
  simulate(HOSTS.appCheckKeys, reaction);
  expect((await send(signedToken(key, claims))).status).toBe(503);
  expect(jest.mocked(logger.error).mock.calls).toEqual([
    ['The public keys of App Check tokens could not be fetched.', expect.anything()],
  ]);

  publishAppCheckKeys(key);
  clock.aheadMs += 1_000;
  expect((await send(signedToken(key, claims))).status).toBe(200);
});

test.each<[mode: string, string, string | undefined, string | undefined, Reaction?]>([
  ['off', 'an invalid token', 'nonsense', undefined],
  ['monitor', 'a valid token', signedToken(key, claims), undefined],
  ['monitor', 'no token', undefined, 'app-check'],
  ['monitor', 'an invalid token', 'nonsense', 'app-check'],
  [
    'monitor',
    'a token while the key server fails',
    signedToken(key, claims),
    'unavailable',
    resets,
  ],
  ['monitor', 'a token while the key server hangs', signedToken(key, claims), 'unavailable', hangs],
])('in mode %s accepts %s, and logs what it would refuse', async (...row) => {
  const [mode, , token, code, reaction] = row;
  process.env.APP_CHECK = mode;
  publishAppCheckKeys(key);
  if (reaction !== undefined) simulate(HOSTS.appCheckKeys, reaction);

  expect((await send(token)).status).toBe(200);
  const refusal = ['App Check would have rejected a request.', { code }];
  expect(jest.mocked(logger.warn).mock.calls).toEqual(code === undefined ? [] : [refusal]);
});

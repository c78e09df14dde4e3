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
import { serveInProcess, type ServedEndpoint } from '../support/inProcess.ts';
import { forgedTokens, malformedTokens } from '../support/invalidTokens.ts';
import { rawRequest, type RawResponse } from '../support/rawRequest.ts';
import {
  hangs,
  resets,
  respondsWith,
  respondsWithText,
  type Reaction,
} from '../support/scriptedServer.ts';

const PROJECT = 'demo-attested';
const key = signingKey('key-1');
const claims = appCheckClaims(PROJECT);

let served: ServedEndpoint;
const clock = keysExpireBetweenTests();

functionsEnvironment(PROJECT, { APP_CHECK: 'enforce' });

beforeAll(async () => {
  served = await serveInProcess(
    endpoint({
      method: 'GET',
      path: '/open',
      access: 'public',
      summary: 'Done',
      description: 'Returns true.',
      response: z.object({ isDone: z.boolean() }),
      errors: {},
      handle: () => Promise.resolve({ isDone: true }),
    }),
  );
});

afterAll(() => served.stop());

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

test.each<[string, Reaction]>([
  ['resets the connection', resets],
  ['responds with 500', respondsWith({}, 500)],
  ['returns an empty object', respondsWith({})],
  ['returns null', respondsWith(null)],
  ['returns no keys', respondsWith({ keys: [] })],
  ['returns keys that are no keys', respondsWith({ keys: [null, 1, {}, { kty: 'RSA', n: '' }] })],
  ['returns a page of HTML', respondsWithText('<html></html>')],
])('returns 503 while the key server %s, then accepts tokens again', async (_what, reaction) => {
  simulate(HOSTS.appCheckKeys, reaction);
  const refused = await send(signedToken(key, claims));
  publishAppCheckKeys(key);
  clock.aheadMs += 1_000;

  expect(refused.status).toBe(503);
  expect(refused.headers['retry-after']).toMatch(/^\d+$/);
  expect(jest.mocked(logger.error).mock.calls).toEqual([
    ['The public keys of App Check tokens could not be fetched.', expect.anything()],
  ]);
  expect((await send(signedToken(key, claims))).status).toBe(200);
});

test.each<[string, string | undefined, string | undefined, Reaction | undefined]>([
  ['a valid token', signedToken(key, claims), undefined, undefined],
  ['no token', undefined, 'app-check', undefined],
  ['an invalid token', 'nonsense', 'app-check', undefined],
  ['a token while the key server fails', signedToken(key, claims), 'unavailable', resets],
  ['a token while the key server hangs', signedToken(key, claims), 'unavailable', hangs],
])('in monitor mode accepts %s, and logs a refusal', async (_what, token, code, reaction) => {
  process.env.APP_CHECK = 'monitor';
  publishAppCheckKeys(key);
  if (reaction !== undefined) simulate(HOSTS.appCheckKeys, reaction);

  expect((await send(token)).status).toBe(200);
  const refusal = ['App Check would have rejected a request.', { code }];
  expect(jest.mocked(logger.warn).mock.calls).toEqual(code === undefined ? [] : [refusal]);
});

test('checks nothing when App Check is off', async () => {
  process.env.APP_CHECK = 'off';

  expect((await send('nonsense')).status).toBe(200);
  expect(logger.warn).not.toHaveBeenCalled();
});

/**
 * App Check tokens are verified for real, with a key pair made here; only the fetch of Google's public keys is stubbed.
 */
import nock from 'nock';
import { logger } from 'firebase-functions/logger';
import * as z from 'zod';
import { endpoint } from '../../functions/src/http/endpoint.ts';
import { encoded, signedToken, signingKey, type SigningKey } from '../emulator/google/idTokens.ts';
import { functionsEnvironment } from '../support/functionsEnvironment.ts';
import { disconnectGoogle, reconnectGoogle } from '../support/googleKeys.ts';
import { serveInProcess, type ServedEndpoint } from '../support/inProcess.ts';
import { rawRequest, type RawResponse } from '../support/rawRequest.ts';

const PROJECT = 'demo-attested';
const REFUSED = 'The X-Firebase-AppCheck header must be a valid App Check token.';
const key = signingKey('key-1');
const unknownKey = signingKey('key-2');
const now = Math.floor(Date.now() / 1000);
/** https://firebase.google.com/docs/app-check/custom-resource-backend#verify_app_check_tokens */
const claims = {
  iss: 'https://firebaseappcheck.googleapis.com/1234567890',
  aud: ['projects/1234567890', `projects/${PROJECT}`],
  sub: '1:1234567890:ios:0123456789abcdef',
  iat: now - 10,
  exp: now + 3600,
};

let served: ServedEndpoint;

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
  jest.spyOn(logger, 'warn').mockImplementation();
});

afterEach(() => {
  nock.cleanAll();
  jest.restoreAllMocks();
});

/** The stubbed server of App Check's public keys. */
function keyServer(): nock.Interceptor {
  return nock('https://firebaseappcheck.googleapis.com').persist().get('/v1/jwks');
}

/** Publishes these keys in place of Google's. */
function publish(...keys: readonly SigningKey[]): void {
  reconnectGoogle();
  nock.cleanAll();
  keyServer().reply(200, {
    keys: keys.map(({ id, publicKey }) => ({
      ...publicKey.export({ format: 'jwk' }),
      kid: id,
      alg: 'RS256',
      use: 'sig',
    })),
  });
}

/** Empties the service's key cache: the cached keys expire, and fetching new ones fails. */
async function forgetKeys(): Promise<void> {
  jest.spyOn(logger, 'error').mockImplementation();
  jest.spyOn(Date, 'now').mockReturnValue((now + 24 * 3600) * 1000);
  nock.cleanAll();
  keyServer().reply(500);
  const { status } = await send(signedToken(key, claims));
  jest.mocked(Date.now).mockRestore();
  nock.cleanAll();
  expect(status).toBe(503);
}

async function send(token?: string): Promise<RawResponse> {
  return rawRequest(served.origin, '/open', {
    headers: token === undefined ? {} : { 'X-Firebase-AppCheck': token },
  });
}

test('accepts a token of an attested app', async () => {
  publish(key);

  expect((await send(signedToken(key, claims))).status).toBe(200);
});

test.each<[string, string | undefined]>([
  ['no token', undefined],
  ['an empty token', ''],
  ['nonsense', 'nonsense'],
  ['a token without JSON', 'a.b.c'],
  ['a token of another project', signedToken(key, { ...claims, aud: ['projects/other'] })],
  ['a token of another issuer', signedToken(key, { ...claims, iss: 'https://example.com/' })],
  ['a token without an app', signedToken(key, { ...claims, sub: '' })],
  ['an expired token', signedToken(key, { ...claims, exp: now - 10 })],
  ['a token with an unknown key', signedToken(unknownKey, claims)],
  ['a token signed with another key', signedToken({ ...unknownKey, id: key.id }, claims)],
  ['an unsigned token', `${encoded({ alg: 'none', kid: key.id, typ: 'JWT' }, claims)}.`],
])('refuses %s', async (_what, token) => {
  publish(key);
  expect((await send(signedToken(key, claims))).status).toBe(200);

  const response = await send(token);

  // A new ID token would not help, so the response does not ask for one.
  expect(response).toMatchObject({ status: 403, text: JSON.stringify({ message: REFUSED }) });
  expect(response.headers).not.toHaveProperty('www-authenticate');
  expect(response.headers['cache-control']).toBe('private, no-store');
});

test('accepts invalid tokens in monitor mode, and logs them', async () => {
  process.env.APP_CHECK = 'monitor';
  publish(key);

  const responses = [await send(), await send(signedToken(key, claims))];

  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  expect(logger.warn).toHaveBeenCalledTimes(1);
  expect(logger.warn).toHaveBeenCalledWith('App Check would have rejected a request.', {
    code: 'permission-denied',
  });
});

test('checks nothing when App Check is off', async () => {
  process.env.APP_CHECK = 'off';

  expect((await send('nonsense')).status).toBe(200);
  expect(logger.warn).not.toHaveBeenCalled();
});

test.each<[string, () => unknown]>([
  ['responds with 500', () => keyServer().reply(500)],
  ['cannot be reached', disconnectGoogle],
  ['returns an empty document', () => keyServer().reply(200, {})],
  ['returns no keys', () => keyServer().reply(200, { keys: [] })],
  ['returns a page of HTML', () => keyServer().reply(200, '<html></html>')],
  [
    'returns the keys of another issuer',
    () => {
      publish(unknownKey);
    },
  ],
])('returns 503 while the key server %s, and soon accepts tokens again', async (_what, break_) => {
  await forgetKeys();
  break_();

  const refused = await send(signedToken(key, claims));
  publish(key);
  jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 1_000);
  const later = await send(signedToken(key, claims));

  expect(refused.status).toBe(503);
  expect(refused.headers['retry-after']).toMatch(/^\d+$/);
  expect(later.status).toBe(200);
});

test('accepts tokens again after a key server that never responded', async () => {
  await forgetKeys();
  keyServer().reply(() => new Promise<never>(() => undefined));
  const refused = await Promise.all([1, 2, 3].map(() => send(signedToken(key, claims))));
  publish(key);

  expect(refused.map(({ status }) => status)).toEqual([503, 503, 503]);
  expect((await send(signedToken(key, claims))).status).toBe(200);
});

test('accepts every request in monitor mode while tokens cannot be verified', async () => {
  await forgetKeys();
  process.env.APP_CHECK = 'monitor';
  keyServer().reply(500);

  expect((await send(signedToken(key, claims))).status).toBe(200);
  expect(logger.error).toHaveBeenCalledWith('App Check tokens cannot be verified.', {
    reason: expect.any(String) as string,
  });
});

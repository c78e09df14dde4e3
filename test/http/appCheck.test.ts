/** Real verification of App Check tokens: with a key pair made here, and Google's published keys stubbed. */
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
      summary: 'Answer',
      description: 'Answers.',
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

/** What answers in place of Google's server of App Check keys. */
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

/** Lets the service have no keys, as at its start: those that it has are too old, and a fetch of others fails. */
async function forgetKeys(): Promise<void> {
  jest.spyOn(logger, 'error').mockImplementation();
  jest.spyOn(Date, 'now').mockReturnValue((now + 24 * 3600) * 1000);
  nock.cleanAll();
  keyServer().reply(500);
  const { status } = await ask(signedToken(key, claims));
  jest.mocked(Date.now).mockRestore();
  nock.cleanAll();
  expect(status).toBe(503);
}

async function ask(token?: string): Promise<RawResponse> {
  return rawRequest(served.origin, '/open', {
    headers: token === undefined ? {} : { 'X-Firebase-AppCheck': token },
  });
}

test('lets an app in that App Check attests', async () => {
  publish(key);

  expect((await ask(signedToken(key, claims))).status).toBe(200);
});

test.each<[string, string | undefined]>([
  ['no token', undefined],
  ['an empty token', ''],
  ['nonsense', 'nonsense'],
  ['a token without JSON', 'a.b.c'],
  ['a token of another project', signedToken(key, { ...claims, aud: ['projects/other'] })],
  ['a token of another issuer', signedToken(key, { ...claims, iss: 'https://example.com/' })],
  ['a token of no app', signedToken(key, { ...claims, sub: '' })],
  ['an expired token', signedToken(key, { ...claims, exp: now - 10 })],
  ['a token of a key that nobody knows', signedToken(unknownKey, claims)],
  ['a token that another key has signed', signedToken({ ...unknownKey, id: key.id }, claims)],
  ['an unsigned token', `${encoded({ alg: 'none', kid: key.id, typ: 'JWT' }, claims)}.`],
])('refuses %s', async (_what, token) => {
  publish(key);
  expect((await ask(signedToken(key, claims))).status).toBe(200);

  const answer = await ask(token);

  // A fresh ID token would not help: nothing asks for one.
  expect(answer).toMatchObject({ status: 403, text: JSON.stringify({ message: REFUSED }) });
  expect(answer.headers).not.toHaveProperty('www-authenticate');
  expect(answer.headers['cache-control']).toBe('private, no-store');
});

test('refuses nobody while it monitors, and says so in the log', async () => {
  process.env.APP_CHECK = 'monitor';
  publish(key);

  const answers = [await ask(), await ask(signedToken(key, claims))];

  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(logger.warn).toHaveBeenCalledTimes(1);
  expect(logger.warn).toHaveBeenCalledWith('App Check would have rejected a request.', {
    code: 'permission-denied',
  });
});

test('asks for nothing where it is off', async () => {
  process.env.APP_CHECK = 'off';

  expect((await ask('nonsense')).status).toBe(200);
  expect(logger.warn).not.toHaveBeenCalled();
});

test.each<[string, () => unknown]>([
  ['answers 500', () => keyServer().reply(500)],
  ['cannot be reached', disconnectGoogle],
  ['has an empty document', () => keyServer().reply(200, {})],
  ['has no keys', () => keyServer().reply(200, { keys: [] })],
  ['has a page of HTML', () => keyServer().reply(200, '<html></html>')],
  [
    'has the keys of somebody else',
    () => {
      publish(unknownKey);
    },
  ],
])('is 503, and takes tokens again soon, where the key server %s', async (_what, break_) => {
  await forgetKeys();
  break_();

  const refused = await ask(signedToken(key, claims));
  publish(key);
  jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 1_000);
  const later = await ask(signedToken(key, claims));

  expect(refused.status).toBe(503);
  expect(refused.headers['retry-after']).toMatch(/^\d+$/);
  expect(later.status).toBe(200);
});

test('takes tokens again after a key server that never answered', async () => {
  await forgetKeys();
  keyServer().reply(() => new Promise<never>(() => undefined));
  const refused = await Promise.all([1, 2, 3].map(() => ask(signedToken(key, claims))));
  publish(key);

  expect(refused.map(({ status }) => status)).toEqual([503, 503, 503]);
  expect((await ask(signedToken(key, claims))).status).toBe(200);
});

test('lets everybody in while it monitors and tokens cannot be verified', async () => {
  await forgetKeys();
  process.env.APP_CHECK = 'monitor';
  keyServer().reply(500);

  expect((await ask(signedToken(key, claims))).status).toBe(200);
  expect(logger.error).toHaveBeenCalledWith('App Check tokens cannot be verified.', {
    reason: expect.any(String) as string,
  });
});

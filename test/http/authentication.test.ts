/** Real RS256 verification: with a key pair made here, the fetch of Google's keys stubbed, and no emulator. */
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
  description: 'Answers with the uid of the caller.',
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
  // A token that was verified is known: each test has its own.
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

async function ask(token: string): Promise<RawResponse> {
  return rawRequest(served.origin, '/who-am-i', {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
  });
}

/** Lets the service have no keys, as at its start: those that it has are too old, and a fetch of others fails. */
async function forgetKeys(): Promise<void> {
  jest.spyOn(Date, 'now').mockReturnValue((now + 24 * 3600) * 1000);
  noKeyServer();
  cutKeyServer();
  const { status } = await ask(signedToken(key, { ...claims, jti: randomUUID() }));
  jest.mocked(Date.now).mockRestore();
  noKeyServer();
  expect(status).toBe(503);
}

/** Lets the service have these keys, and know them for Google's. */
async function proveKeys(): Promise<void> {
  await forgetKeys();
  publishKeys(key);
  expect((await ask(signedToken(key, { ...claims, jti: randomUUID() }))).status).toBe(200);
}

function expectRefusal(answer: RawResponse, status: number, message: string): void {
  expect(answer).toMatchObject({ status, text: JSON.stringify({ message }) });
}

/** A token that says HS256, its secret the public key that everybody knows. */
function tokenWithPublicKeyAsSecret(): string {
  const content = encoded({ alg: 'HS256', kid: key.id, typ: 'JWT' }, claims);
  const secret = key.publicKey.export({ type: 'spki', format: 'pem' });
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
}

test('takes a token that Google has signed for this project', async () => {
  publishKeys(key);

  expect(await ask(signedToken(key, claims))).toMatchObject({
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
  ['is signed with a key that nobody knows', signedToken(unknownKey, claims)],
  ['is signed with another key than it says', signedToken({ ...unknownKey, id: key.id }, claims)],
  ['was changed after it was signed', changed(signedToken(key, claims), { ...claims, sub: 'bob' })],
  ['is unsigned', unsignedToken(claims)],
  ['is unsigned and names a key', `${encoded({ alg: 'none', kid: key.id }, claims)}.`],
  ['is signed with the public key as a secret', tokenWithPublicKeyAsSecret()],
  ['has no subject', signedToken(key, { ...claims, sub: undefined })],
  ['has an empty subject', signedToken(key, { ...claims, sub: '' })],
  [
    'has a subject that no document can have as its id',
    signedToken(key, { ...claims, sub: 'a/b' }),
  ],
  [
    'has no subject, and an event for which the SDK asks for none',
    signedToken(key, { ...claims, sub: undefined, event_type: 'beforeSendSms' }),
  ],
  ['has a payload that is null', signedToken(key, null)],
  ['has a payload that is a text', signedToken(key, 'text')],
  ['is no token', 'nonsense'],
])('refuses a token that %s', async (_what, token) => {
  await proveKeys();

  const answer = await ask(token);

  expectRefusal(answer, 401, BAD_TOKEN);
  expect(answer.headers['www-authenticate']).toBe('Bearer');
});

test.each([
  ['cannot be reached', cutKeyServer],
  ['answers 500', () => failKeyServer(500)],
  ['answers 404', () => failKeyServer(404)],
])('is 503, and signs nobody out, while the key server %s', async (_what, break_) => {
  await forgetKeys();
  break_();

  const answer = await ask(signedToken(key, claims));

  expectRefusal(answer, 503, UNAVAILABLE);
  expect(answer.headers['retry-after']).toMatch(/^\d+$/);
  expect(answer.headers).not.toHaveProperty('www-authenticate');
});

test.each(['false', 'true'])(
  'logs that ID tokens cannot be verified, and why, where CHECK_REVOKED is %s',
  async (checkRevoked) => {
    await forgetKeys();
    process.env.CHECK_REVOKED = checkRevoked;
    failKeyServer(500);
    jest.mocked(logger.error).mockClear();

    await ask(signedToken(key, claims));

    expect(logger.error).toHaveBeenCalledWith('ID tokens cannot be verified.', {
      reason: expect.stringContaining('public keys') as string,
    });
  },
);

test.each<[string, () => unknown]>([
  ['has an empty document', () => publishInstead('{}', 'application/json')],
  ['has a page of HTML', () => publishInstead('<html></html>', 'text/html')],
  ['has HTML that it calls JSON', () => publishInstead('<html></html>', 'application/json')],
  ['has null', () => publishInstead('null', 'application/json')],
  ['has a list', () => publishInstead('[]', 'application/json')],
  ['has nothing', () => publishInstead('', 'application/json')],
  ['has the keys of somebody else', () => publishKeys(unknownKey)],
])('signs nobody out, and asks again soon, where the key server %s', async (_what, publish) => {
  await forgetKeys();
  publish();

  const refused = await ask(signedToken(key, claims));
  noKeyServer();
  publishKeys(key);
  jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 1_000);
  const later = await ask(signedToken(key, claims));

  expectRefusal(refused, 503, UNAVAILABLE);
  expect(later.status).toBe(200);
});

test('takes tokens again as soon as the key server is back', async () => {
  await forgetKeys();
  cutKeyServer();
  const refused = await ask(signedToken(key, claims));
  noKeyServer();
  publishKeys(key);

  expect(refused.status).toBe(503);
  expect((await ask(signedToken(key, claims))).status).toBe(200);
});

test('takes tokens again after a key server that never answered', async () => {
  await forgetKeys();
  hangKeyServer();
  const refused = await Promise.all([1, 2, 3].map(() => ask(signedToken(key, claims))));
  noKeyServer();
  publishKeys(key);

  expect(refused.map(({ status }) => status)).toEqual([503, 503, 503]);
  expect((await ask(signedToken(key, claims))).status).toBe(200);
});

test('fetches the keys once, however many callers come at the same time', async () => {
  await forgetKeys();
  const server = publishKeys(key);
  const uids = Array.from({ length: 20 }, (_, index) => `user-${index}`);

  const answers = await Promise.all(
    uids.map((uid) => ask(signedToken(key, idTokenClaims(PROJECT, uid)))),
  );

  expect(answers.map(({ text }) => text)).toEqual(uids.map((uid) => JSON.stringify({ uid })));
  expect(server.asked()).toBe(1);
});

test('takes good tokens that come at the same time as bad ones', async () => {
  await forgetKeys();
  publishKeys(key);
  const tokens = [signedToken(unknownKey, claims), signedToken(key, claims), 'nonsense'];

  const statuses = (await Promise.all([...tokens, ...tokens].map(ask))).map(({ status }) => status);

  expect([statuses[1], statuses[4]]).toEqual([200, 200]);
  expect([statuses[2], statuses[5]]).toEqual([401, 401]);
  // A key that is not there may be the fault of keys of which nothing is known yet.
  for (const status of [statuses[0], statuses[3]]) expect([401, 503]).toContain(status);
});

test('does not ask a key server that is down once for each caller', async () => {
  await forgetKeys();
  const server = failKeyServer(500);

  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ask(signedToken(key, claims))),
  );

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  // Only those who came after the first failure have asked again.
  expect(server.asked()).toBeLessThan(20);
});

test('trusts nobody where the emulator’s variable is set outside the emulator', async () => {
  await proveKeys();
  jest.mocked(logger.warn).mockClear();
  process.env.FIREBASE_AUTH_EMULATOR_HOST = '127.0.0.1:9099';

  for (const token of [signedToken(key, claims), unsignedToken(claims)]) {
    expectRefusal(await ask(token), 503, UNAVAILABLE);
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

test('asks Firebase Auth for revoked tokens where the parameter says so', async () => {
  await proveKeys();
  const known = signedToken(key, claims);
  expect((await ask(known)).status).toBe(200);
  process.env.CHECK_REVOKED = 'true';
  process.env.GOOGLE_APPLICATION_CREDENTIALS = '/nowhere';

  const answer = await ask(known);

  // There are no credentials here to ask with: that it tried shows in that it could not.
  expectRefusal(answer, 503, UNAVAILABLE);
  Reflect.deleteProperty(process.env, 'GOOGLE_APPLICATION_CREDENTIALS');
});

afterAll(() => {
  nock.restore();
});

test('knows a token that it has verified, and no other, until it expires', async () => {
  await proveKeys();
  const token = signedToken(key, claims);
  const first = await ask(token);
  await forgetKeys();
  cutKeyServer();

  const again = await ask(token);
  const other = await ask(signedToken(key, { ...claims, jti: randomUUID() }));
  noKeyServer();
  publishKeys(key);
  jest.spyOn(Date, 'now').mockReturnValue((now + 4000) * 1000);
  const expired = await ask(token);

  expect([first, again, other, expired].map(({ status }) => status)).toEqual([200, 200, 503, 401]);
});

/** A token with other claims than those that were signed. */
function changed(token: string, others: object): string {
  const [header = '', , signature = ''] = token.split('.');
  return [header, encoded({}, others).split('.')[1], signature].join('.');
}

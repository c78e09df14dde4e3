/** Who the caller is. Signatures are verified for real; test/auth/tokenVerifier has which tokens are refused. */
import type { Request } from 'firebase-functions/https';
import { authenticate } from '../../functions/src/auth/authentication.ts';
import {
  idTokenClaims,
  signedToken,
  signingKey,
  unsignedToken,
} from '../../dev/google/idTokens.ts';
import { functionsEnvironment } from '../support/functionsEnvironment.ts';
import { keysExpireBetweenTests, noKeyServer, publishKeys } from '../support/googleKeys.ts';

const PROJECT = 'demo-callers';
const key = signingKey('key-1');
const claims = idTokenClaims(PROJECT, 'alice');
const now = Math.floor(Date.now() / 1000);
const clock = keysExpireBetweenTests();

functionsEnvironment(PROJECT);

afterEach(() => {
  noKeyServer();
  Reflect.deleteProperty(process.env, 'FIREBASE_AUTH_EMULATOR_HOST');
});

async function callerWith(token: string, scheme = 'Bearer'): Promise<{ readonly uid: string }> {
  const headers = { authorization: `${scheme} ${token}` };
  return authenticate({ headers } as unknown as Request, { checkRevoked: false });
}

/** The uid of the caller with a token, or the code of the refusal. */
async function callerOf(token: string, scheme?: string): Promise<string> {
  return callerWith(token, scheme).then(
    ({ uid }) => uid,
    (error: unknown) => (error as { code: string }).code,
  );
}

test.each(['Bearer', 'bearer', 'BEARER '])(
  'the caller is the subject of a %s token',
  async (scheme) => {
    publishKeys(key);

    expect(await callerOf(signedToken(key, claims), scheme)).toBe('alice');
    expect(await callerOf(`${signedToken(key, claims)} `, scheme)).toBe('alice');
  },
);

test.each([
  ...[undefined, '.', '..', 'a/b', '__x__', 'x'.repeat(129), 1].map((sub) => ({ sub })),
  // The SDK does not require a subject for events of this type.
  { sub: undefined, event_type: 'beforeSendSms' },
])('a subject that is no id is refused: %j', async (more) => {
  publishKeys(key);

  expect(await callerOf(signedToken(key, { ...claims, ...more }))).toBe('unauthenticated');
});

test.each([
  ['unauthenticated', 'it has expired', (now + 3_601) * 1_000, 0],
  ['unavailable', 'it would have but for a clock set back', (now - 3_600) * 1_000, 3_601_000],
  ['alice', 'it is valid, and its keys have expired', now * 1_000, 3_500_000],
])('a token that was verified before means %s if %s', async (caller, _what, time, passed) => {
  publishKeys(key, 'max-age=60');
  const token = signedToken(key, { ...claims, jti: caller });
  expect(await callerOf(token)).toBe('alice');
  noKeyServer();

  jest.spyOn(Date, 'now').mockReturnValue(time);
  clock.aheadMs += passed;

  expect(await callerOf(token)).toBe(caller);
});

test('every token is rejected if the emulator’s variable is set outside the emulator', async () => {
  publishKeys(key);
  process.env.FIREBASE_AUTH_EMULATOR_HOST = '127.0.0.1:9099';

  for (const token of [signedToken(key, claims), unsignedToken(claims)]) {
    await expect(callerWith(token)).rejects.toMatchObject({
      code: 'unavailable',
      cause: new Error(
        'FIREBASE_AUTH_EMULATOR_HOST is set outside the emulator: all tokens are rejected.',
      ),
    });
  }
});

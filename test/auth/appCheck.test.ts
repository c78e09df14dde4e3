/** What App Check does in each mode; test/auth/tokens has which tokens are refused. */
import { logger } from 'firebase-functions/logger';
import type { Request } from 'firebase-functions/https';
import { requireApp } from '../../functions/src/auth/appCheck.ts';
import { appCheck } from '../../functions/src/parameters.ts';
import { appCheckClaims, signedToken, signingKey } from '../../dev/google/idTokens.ts';
import { functionsEnvironment } from '../support/functionsEnvironment.ts';
import { hangs, respondsWith } from '../../dev/shared/scriptedServer.ts';
import { HOSTS, publishKeys, resetGoogle, simulate } from '../support/simulatedGoogle.ts';

const PROJECT = 'demo-attested';
const key = signingKey('key-1');
const VALID = signedToken(key, appCheckClaims(PROJECT));
const WARNING = 'App Check would have rejected a request.';

functionsEnvironment(PROJECT);

beforeEach(() => {
  // Only the timers stand still: what is verified in time does not depend on how fast the machine is.
  jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'performance', 'setImmediate'] });
  jest.spyOn(logger, 'warn').mockImplementation();
});

afterEach(async () => {
  jest.useRealTimers();
  await resetGoogle();
});

/** Checks a request with this token, in this mode. */
async function check(
  mode: 'off' | 'monitor' | 'enforce',
  token: string | undefined,
): Promise<void> {
  jest.spyOn(appCheck, 'value').mockReturnValue(mode);
  await requireApp({ headers: { 'x-firebase-appcheck': token } } as unknown as Request);
}

test('off: accepts anything', async () => {
  await expect(check('off', 'nonsense')).resolves.toBeUndefined();
});

test('enforce: accepts a valid token', async () => {
  publishKeys(key);

  await expect(check('enforce', VALID)).resolves.toBeUndefined();
});

test.each([undefined, '', 'nonsense'])('enforce: rejects the token %j', async (token) => {
  publishKeys(key);

  await expect(check('enforce', token)).rejects.toMatchObject({ code: 'app-check' });
});

test('monitor: accepts a valid token without a warning', async () => {
  publishKeys(key);

  await check('monitor', VALID);

  expect(logger.warn).not.toHaveBeenCalled();
});

test.each([
  ['no token', undefined, 'app-check'],
  ['an invalid token', 'nonsense', 'app-check'],
  ['a token while the key server fails', VALID, 'unavailable'],
])('monitor: accepts %s with a warning', async (_what, token, code) => {
  simulate(HOSTS.appCheckKeys, respondsWith({}, 500));

  await check('monitor', token);

  expect(jest.mocked(logger.warn).mock.calls).toEqual([[WARNING, { code }]]);
});

test('monitor: waits at most 0.3 s for the key server, then accepts with a warning', async () => {
  simulate(HOSTS.appCheckKeys, hangs);

  const checked = check('monitor', VALID);
  await jest.advanceTimersByTimeAsync(299);
  expect(logger.warn).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);
  await checked;

  expect(jest.mocked(logger.warn).mock.calls).toEqual([[WARNING, { code: 'unavailable' }]]);
});

/** The modes of App Check. adminSdk.test.ts tests which tokens are rejected. */
import { logger } from 'firebase-functions/logger';
import type { Request } from 'firebase-functions/https';
import { verifyAppCheck } from './appCheck.ts';
import {
  createAppCheckClaims,
  signToken,
  createSigningKey,
} from '../../../../dev/fakeGoogle/idTokens.ts';
import { useFunctionsEnvironment } from '../../../../dev/testing/functionsEnvironment.ts';
import { neverRespond, respondJson } from '../../../../dev/testing/stubServer.ts';
import { HOSTS, publishKeys, resetStubs, stubHost } from '../../../../dev/testing/stubGoogle.ts';

const PROJECT = 'demo-attested';
const key = createSigningKey('key-1');
const VALID = signToken(key, createAppCheckClaims(PROJECT));
const fails = () => stubHost(HOSTS.appCheckKeys, respondJson({}, 500));
const publishes = () => {
  publishKeys(key);
};

useFunctionsEnvironment(PROJECT);

beforeEach(() => {
  // Only the timers stand still: what is verified in time does not depend on how fast the machine is.
  jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'performance', 'setImmediate'] });
  jest.spyOn(logger, 'warn').mockImplementation();
});

afterEach(async () => {
  jest.useRealTimers();
  await resetStubs();
});

/** Checks a request with this token; resolves with the code of the error, if there is one. */
async function check(mode: 'monitor' | 'enforce', token: string | undefined): Promise<unknown> {
  const request = { headers: { 'x-firebase-appcheck': token } } as unknown as Request;
  return verifyAppCheck(request, mode).catch((error: unknown) => (error as { code: string }).code);
}

test.each<[string, () => unknown, string | undefined, string | undefined]>([
  ['a valid token', publishes, VALID, undefined],
  ['no token', publishes, undefined, 'app-check'],
  ['nonsense', publishes, 'nonsense', 'app-check'],
  ['a token while the key server fails', fails, VALID, 'unavailable'],
])(
  'for %s, enforce mode throws and monitor mode only logs the error code',
  async (_what, google, token, code) => {
    google();

    expect(await check('enforce', token)).toBe(code);
    expect(logger.warn).not.toHaveBeenCalled();
    expect(await check('monitor', token)).toBeUndefined();
    const warning = ['App Check would have rejected a request.', { code }];
    expect(jest.mocked(logger.warn).mock.calls).toEqual(code === undefined ? [] : [warning]);
  },
);

test('monitor waits at most 0.3 s for the key server, then accepts with a warning', async () => {
  stubHost(HOSTS.appCheckKeys, neverRespond);

  const checked = check('monitor', VALID);
  await jest.advanceTimersByTimeAsync(299);
  expect(logger.warn).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);

  expect(logger.warn).toHaveBeenCalledWith(expect.anything(), { code: 'unavailable' });
  expect(await checked).toBeUndefined();
});

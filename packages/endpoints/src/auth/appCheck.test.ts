/** The modes of App Check. adminSdk.test.ts tests which tokens are rejected. */
import { logger } from 'firebase-functions/logger';
import type { Request } from 'firebase-functions/https';
import { verifyAppCheck } from './appCheck.ts';
import {
  createAppCheckClaims,
  signToken,
  createSigningKey,
} from '../../../../test/support/google/idTokens.ts';
import { useFunctionsEnvironment } from '../../../../test/support/jest/isolateEnvironment.ts';
import { neverRespond, respondJson } from '../../../../test/support/google/stubServer.ts';
import {
  HOSTS,
  publishKeys,
  resetStubs,
  stubHost,
} from '../../../../test/support/google/stubGoogle.ts';

const PROJECT = 'demo-attested';
const key = createSigningKey('key-1');
const VALID_TOKEN = signToken(key, createAppCheckClaims(PROJECT));

useFunctionsEnvironment(PROJECT);

beforeEach(() => {
  // Only the timers stand still, so that the result does not depend on the speed of the machine.
  jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'performance', 'setImmediate'] });
  jest.spyOn(logger, 'warn').mockImplementation();
});

afterEach(async () => {
  jest.useRealTimers();
  await resetStubs();
});

/** Verifies a request with this token; resolves with the code of the error, or undefined. */
async function verify(mode: 'monitor' | 'enforce', token: string | undefined): Promise<unknown> {
  const request = { headers: { 'x-firebase-appcheck': token } } as unknown as Request;
  return verifyAppCheck(request, mode).catch((error: unknown) => (error as { code: string }).code);
}

test('both modes accept a valid token without a warning', async () => {
  publishKeys(key);

  expect(await verify('enforce', VALID_TOKEN)).toBeUndefined();
  expect(await verify('monitor', VALID_TOKEN)).toBeUndefined();
  expect(logger.warn).not.toHaveBeenCalled();
});

test.each([
  { name: 'the token is missing', keyServerFails: false, token: undefined, code: 'app-check' },
  { name: 'the token is nonsense', keyServerFails: false, token: 'nonsense', code: 'app-check' },
  { name: 'the key server fails', keyServerFails: true, token: VALID_TOKEN, code: 'unavailable' },
])(
  'enforce mode throws $code and monitor mode only logs it if $name',
  async ({ keyServerFails, token, code }) => {
    if (keyServerFails) stubHost(HOSTS.appCheckKeys, respondJson({}, 500));
    else publishKeys(key);

    expect(await verify('enforce', token)).toBe(code);
    expect(logger.warn).not.toHaveBeenCalled();
    expect(await verify('monitor', token)).toBeUndefined();
    expect(jest.mocked(logger.warn).mock.calls).toEqual([
      ['App Check would have rejected a request.', { code }],
    ]);
  },
);

test('monitor mode waits at most 0.3 s for the key server, then accepts with a warning', async () => {
  stubHost(HOSTS.appCheckKeys, neverRespond);

  const result = verify('monitor', VALID_TOKEN);
  await jest.advanceTimersByTimeAsync(299);
  expect(logger.warn).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);

  expect(logger.warn).toHaveBeenCalledWith(expect.anything(), { code: 'unavailable' });
  expect(await result).toBeUndefined();
});

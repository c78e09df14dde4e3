/** What App Check does in each mode; test/auth/tokenVerifier has which tokens are refused. */
import { logger } from 'firebase-functions/logger';
import type { Request } from 'firebase-functions/https';
import { requireApp } from '../../functions/src/auth/appCheck.ts';
import { appCheckClaims, signedToken, signingKey } from '../../dev/google/idTokens.ts';
import { functionsEnvironment } from '../support/functionsEnvironment.ts';
import {
  HOSTS,
  keysExpireBetweenTests,
  noKeyServer,
  publishAppCheckKeys,
  simulate,
} from '../support/googleKeys.ts';
import { hangs, resets, type Reaction } from '../support/scriptedServer.ts';

const PROJECT = 'demo-attested';
const key = signingKey('key-1');
const VALID = signedToken(key, appCheckClaims(PROJECT));

functionsEnvironment(PROJECT, { APP_CHECK: 'off' });
keysExpireBetweenTests();

afterEach(() => {
  noKeyServer();
});

test.each<[mode: string, what: string, string | undefined, code?: string, Reaction?]>([
  ['off', 'an invalid token', 'nonsense'],
  ['monitor', 'a valid token', VALID],
  ['monitor', 'no token', undefined, 'app-check'],
  ['monitor', 'an invalid token', 'nonsense', 'app-check'],
  ['monitor', 'a token while the key server fails', VALID, 'unavailable', resets],
  ['monitor', 'a token while the key server hangs', VALID, 'unavailable', hangs],
  ['enforce', 'a valid token', VALID],
  ['enforce', 'no token', undefined, 'app-check'],
  ['enforce', 'an empty token', '', 'app-check'],
  ['enforce', 'an invalid token', 'nonsense', 'app-check'],
])('%s: %s', async (...row) => {
  const [mode, , token, code, reaction] = row;
  process.env.APP_CHECK = mode;
  publishAppCheckKeys(key);
  if (reaction !== undefined) simulate(HOSTS.appCheckKeys, reaction);
  jest.spyOn(logger, 'error').mockImplementation();
  const warn = jest.spyOn(logger, 'warn').mockImplementation();

  const refusal = await requireApp({
    headers: { 'x-firebase-appcheck': token },
  } as unknown as Request).catch((error: unknown) => (error as { code: string }).code);

  const warning = ['App Check would have rejected a request.', { code }];
  expect(refusal).toBe(mode === 'enforce' ? code : undefined);
  expect(warn.mock.calls).toEqual(mode === 'monitor' && code !== undefined ? [warning] : []);
});

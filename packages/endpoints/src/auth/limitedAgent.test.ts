/** What the Admin SDK's requests leave behind while Google does not respond. */
import { setImmediate } from 'node:timers/promises';
import type { Request } from 'firebase-functions/https';
import { requireApp } from './appCheck.ts';
import { authenticate, requireValidSignIn } from './authentication.ts';
import {
  appCheckClaims,
  idTokenClaims,
  signedToken,
  signingKey,
} from '../../../../dev/google/idTokens.ts';
import { hangs, respondsWith, type Reaction } from '../../../../dev/testing/scriptedServer.ts';
import { functionsEnvironment } from '../../../../dev/testing/functionsEnvironment.ts';
import {
  HOSTS,
  openConnections,
  publishKeys,
  resetGoogle,
  simulate,
} from '../../../../dev/testing/simulatedGoogle.ts';

const PROJECT = 'demo-hanging';
const CALLERS = 100;
const key = signingKey('key-1');
const now = Date.now();
let tokens = 0;

functionsEnvironment(PROJECT);

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'performance', 'setImmediate'] });
});

afterEach(async () => {
  jest.useRealTimers();
  await resetGoogle();
});

const request = (headers: object) => ({ headers }) as unknown as Request;
const freshToken = (claims: object) => signedToken(key, { ...claims, jti: `${(tokens += 1)}` });

const stalls: Reaction = (response) => {
  response.writeHead(200, { 'Content-Length': 100 }).write('{"');
};

const USES: readonly [what: string, host: string, use: () => Promise<unknown>][] = [
  [
    'The keys of ID tokens',
    HOSTS.idTokenKeys,
    async () => {
      const token = freshToken(idTokenClaims(PROJECT, 'alice'));
      return authenticate(request({ authorization: `Bearer ${token}` }));
    },
  ],
  [
    'The keys of App Check tokens',
    HOSTS.appCheckKeys,
    async () => {
      const token = freshToken(appCheckClaims(PROJECT));
      return requireApp(request({ 'x-firebase-appcheck': token }), 'enforce');
    },
  ],
  ['Accounts', HOSTS.accounts, async () => requireValidSignIn({ uid: 'alice', signedInAt: now })],
];

test.each(
  USES.flatMap(([what, host, use]) => [
    [what, 'does not respond', host, use, hangs] as const,
    [what, 'stalls', host, use, stalls] as const,
  ]),
)(
  '%s: while Google %s, calls fail after 5 s and leave no connections open; then they work again',
  async (_what, _fault, host, use, fault) => {
    const before = await openConnections();
    const requests = simulate(host, fault);
    const calls = Array.from({ length: CALLERS }, async () =>
      use().catch((error: unknown) => (error as { code: unknown }).code),
    );
    while (requests.count < CALLERS) await setImmediate();
    expect(await openConnections()).toBeGreaterThanOrEqual(CALLERS);

    await jest.advanceTimersByTimeAsync(5_000);

    expect(new Set(await Promise.all(calls))).toEqual(new Set(['unavailable']));
    while ((await openConnections()) > before) await setImmediate();
    expect(requests.count).toBe(CALLERS);

    publishKeys(key);
    simulate(HOSTS.accounts, respondsWith({ users: [{ localId: 'alice' }] }));
    await expect(use()).resolves.not.toThrow();
  },
);

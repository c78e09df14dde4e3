/** How the deployed files verify tokens, for each value of the parameters, and which requests to Google that takes. */
import type { FaultTarget, WireFault } from '../emulator/google/faults.ts';
import { appCheckClaims, encoded, idTokenClaims } from '../emulator/google/idTokens.ts';
import type { DeployedFunction } from '../support/deployedFunction.ts';
import { deployedService } from '../support/deployedService.ts';
import { exampleRequest } from '../support/exampleRequests.ts';
import { rawRequest } from '../support/rawRequest.ts';
import { ALICE } from './attack/world.ts';

const service = deployedService();
const PROJECT = 'tattoo-deployed';
const LOOKUP = 'identitytoolkit.googleapis.com';
const REFUSED_LOOKUP =
  'Firebase Auth refused to look up an account. CHECK_REVOKED requires that the service account of this function has the role roles/firebaseauth.viewer.';

afterEach(() => service.google.heal());

/** Sends Alice's example request with other headers, and returns the status. */
async function send(
  functionId: string,
  { origin }: DeployedFunction,
  other: Readonly<Record<string, string>> = {},
): Promise<number> {
  const { path, headers, ...sent } = exampleRequest(functionId, ALICE, '');
  return (await rawRequest(origin, path, { ...sent, headers: { ...headers, ...other } })).status;
}

async function sendTimes(times: number, sendOne: (n: number) => Promise<number>) {
  return new Set(await Promise.all(Array.from({ length: times }, (_, n) => sendOne(n))));
}

function requestsTo(host: FaultTarget): number {
  const counts = [...service.google.requestCounts].filter(([name]) => name.startsWith(`${host} `));
  return counts.reduce((sum, [, count]) => sum + count, 0);
}

/** The messages of errors in the log, without the lines of requests. */
function errorsOf({ logs }: DeployedFunction): string[] {
  return logs
    .filter(({ severity, httpRequest }) => severity === 'ERROR' && httpRequest === undefined)
    .map(({ message }) => String(message));
}

/** A token whose key id has no text, at which the libraries behind firebase-admin fail like at a failed fetch of keys. */
function hostileToken(claims: object): string {
  return `${encoded({ alg: 'RS256', kid: { toString: 1, valueOf: 1 } }, claims)}.c2lnbmVk`;
}

test('the first access token is fetched before the first request', async () => {
  const before = service.google.requestCounts.get('metadata token') ?? 0;

  await service.serve('artists-list');

  await service.google.seen('metadata', 'token', before + 1);
  expect(service.google.requestCounts.get('metadata token')).toBe(before + 1);
});

describe.each([
  {
    kind: 'ID tokens',
    functionId: 'notifications-resetNewNotifications',
    env: {},
    keys: { host: 'www.googleapis.com', call: 'securetoken@system.gserviceaccount.com' },
    headers: (token: string) => ({ Authorization: `Bearer ${token}` }),
    // Nothing is stored about the users.
    accepted: 404,
    refused: 401,
    newToken: () => service.google.tokenOf(`user-${performance.now()}`),
    hostile: () => hostileToken(idTokenClaims(PROJECT, 'alice')),
  },
  {
    kind: 'App Check tokens',
    functionId: 'artists-list',
    env: { APP_CHECK: 'enforce' },
    keys: { host: 'firebaseappcheck.googleapis.com', call: 'jwks' },
    headers: (token: string) => ({ 'X-Firebase-AppCheck': token }),
    accepted: 200,
    refused: 403,
    newToken: () => service.google.appCheckToken(),
    hostile: () => hostileToken(appCheckClaims(PROJECT)),
  },
] as const)('$kind', ({ functionId, env, keys, headers, accepted, refused, newToken, hostile }) => {
  test('are verified with keys that are fetched once, whatever else callers send', async () => {
    const served = await service.serve(functionId, env);
    const sendToken = async (token: string) => send(functionId, served, headers(token));
    const before = requestsTo(keys.host);
    service.google.fault({ ...keys, kind: 'delayed' });

    const accepting = sendTimes(20, async () => sendToken(newToken()));
    await service.google.seen(keys.host, keys.call, before + 1);
    const refusing = await sendTimes(20, async () => sendToken(hostile()));
    await service.google.release();

    expect(refusing).toEqual(new Set([refused]));
    expect(await accepting).toEqual(new Set([accepted]));
    const later = sendTimes(20, async (n) => sendToken(n % 2 === 0 ? hostile() : newToken()));
    expect(await later).toEqual(new Set([refused, accepted]));
    expect(await sendToken(newToken().replace(/.{8}$/, 'AAAAAAAA'))).toBe(refused);
    expect(requestsTo(keys.host)).toBe(before + 1);
    await served.stop();
    expect(errorsOf(served)).toEqual([]);
  });

  test('are answered with 503 while the keys cannot be fetched, and soon accepted again', async () => {
    const served = await service.serve(functionId, env);
    const faults: Omit<WireFault, 'host'>[] = [
      { kind: 'refused' },
      { kind: 'reset within body' },
      { kind: 'hang within body' },
    ];
    for (const fault of faults) {
      service.google.fault({ host: keys.host, ...fault });
      const answers = sendTimes(10, async () => send(functionId, served, headers(newToken())));
      expect([fault.kind, await answers]).toEqual([fault.kind, new Set([503])]);
      expect(await send(functionId, served, headers(hostile()))).toBe(refused);
      await service.google.heal();
    }

    expect(await send(functionId, served, headers(newToken()))).toBe(accepted);
  });
});

test('each request is checked with Firebase Auth if the parameter says so, and a failure changes nothing else', async () => {
  const functionId = 'notifications-resetNewNotifications';
  const served = await service.serve(functionId, { CHECK_REVOKED: 'true' });
  const [tokens, keys] = [service.google.tokenOf('alice'), requestsTo('www.googleapis.com')];
  const ask = async (token = tokens) =>
    send(functionId, served, { Authorization: `Bearer ${token}` });

  expect([await ask(), await ask()]).toEqual([404, 404]);
  expect(requestsTo(LOOKUP)).toBe(2);
  expect(await ask(hostileToken(idTokenClaims(PROJECT, 'alice')))).toBe(401);
  expect(requestsTo(LOOKUP)).toBe(2);
  const faults: [number, Omit<WireFault, 'host'>][] = [
    [503, { kind: 'status', status: 500 }],
    [503, { kind: 'html' }],
    [500, { kind: 'status', status: 403 }],
    [503, { kind: 'hang' }],
  ];
  for (const [status, fault] of faults) {
    service.google.fault({ host: LOOKUP, ...fault });
    expect([fault, await sendTimes(5, async () => ask())]).toEqual([fault, new Set([status])]);
    await service.google.heal();
    expect(await ask()).toBe(404);
  }

  expect(requestsTo('www.googleapis.com')).toBe(keys + 1);
  await served.stop();
  const errors = errorsOf(served);
  expect(errors).toHaveLength(5);
  for (const error of errors) expect(error).toContain(REFUSED_LOOKUP);
});

test('a request does not wait for the keys of App Check if it is only monitored', async () => {
  const served = await service.serve('artists-list', {
    APP_CHECK: 'monitor',
    DEADLINE_SECONDS: '3',
  });
  expect(await send('artists-list', served)).toBe(200);
  service.google.fault({ host: 'firebaseappcheck.googleapis.com', kind: 'hang' });

  const token = service.google.appCheckToken();
  // Whoever waited for the fetch to fail would miss the deadline.
  expect(await send('artists-list', served, { 'X-Firebase-AppCheck': token })).toBe(200);
});

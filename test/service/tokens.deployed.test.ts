/** How the deployed files verify tokens, for each value of the parameters, and which requests to Google that takes. */
import type { DeployedFunction } from '../support/deployedFunction.ts';
import { deployedService } from '../support/deployedService.ts';
import { exampleRequest } from '../support/exampleRequests.ts';
import { rawRequest } from '../support/rawRequest.ts';
import { ALICE } from './attack/world.ts';

const service = deployedService();
const LOOKUP = 'identitytoolkit.googleapis.com lookup';

/** Sends Alice's example request with additional headers, and returns the status. */
async function send(
  functionId: string,
  { origin }: DeployedFunction,
  more: Readonly<Record<string, string>> = {},
): Promise<number> {
  const token = service.google.tokenOf(ALICE.uid);
  const { path, headers, ...sent } = exampleRequest(functionId, ALICE, token);
  return (await rawRequest(origin, path, { ...sent, headers: { ...headers, ...more } })).status;
}

test('the first access token is fetched before the first request', async () => {
  const before = service.google.requestCounts.get('metadata token') ?? 0;

  await service.serve('artists-list');

  await service.google.seen('metadata', 'token', before + 1);
  expect(service.google.requestCounts.get('metadata token')).toBe(before + 1);
});

test('each request is checked with Firebase Auth if the parameter says so', async () => {
  const functionId = 'notifications-resetNewNotifications';
  const served = await service.serve(functionId, { CHECK_REVOKED: 'true' });

  const statuses = [await send(functionId, served), await send(functionId, served)];

  // Alice is signed in, but nothing is stored.
  expect(statuses).toEqual([404, 404]);
  expect(service.google.requestCounts.get(LOOKUP)).toBe(2);
});

test('only apps with a valid App Check token are served if the parameter says so', async () => {
  const served = await service.serve('artists-list', { APP_CHECK: 'enforce' });
  const token = service.google.appCheckToken();
  const forged = `${token.slice(0, -8)}${token.endsWith('AAAAAAAA') ? 'BBBBBBBB' : 'AAAAAAAA'}`;

  const statuses = await Promise.all([
    send('artists-list', served, { 'X-Firebase-AppCheck': token }),
    send('artists-list', served, { 'X-Firebase-AppCheck': forged }),
    send('artists-list', served),
  ]);

  expect(statuses).toEqual([200, 403, 403]);
});

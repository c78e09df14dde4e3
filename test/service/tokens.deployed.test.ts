/** That the deployed files verify tokens in every way that parameters ask for, and what they ask Google for it. */
import { exampleRequest } from '../support/exampleRequests.ts';
import { rawRequest } from '../support/rawRequest.ts';
import { deployedService, type MeasuredFunction } from './attack/measured.ts';
import { ALICE } from './attack/world.ts';

const service = deployedService();
const LOOKUP = 'identitytoolkit.googleapis.com lookup';

/** Sends Alice's example request with more headers, and gives the status. */
async function ask(
  functionId: string,
  { origin }: MeasuredFunction,
  more: Readonly<Record<string, string>> = {},
): Promise<number> {
  const token = service.google.tokenOf(ALICE.uid);
  const { path, headers, ...sent } = exampleRequest(functionId, ALICE, token);
  return (await rawRequest(origin, path, { ...sent, headers: { ...headers, ...more } })).status;
}

test('an access token is fetched before the first request', async () => {
  await service.serve('artists-list');

  await service.google.seen('metadata', 'token', 1);
  expect([...service.google.asked]).toEqual([['metadata token', 1]]);
});

test('Firebase Auth is asked on each call where the parameter says so', async () => {
  const functionId = 'notifications-resetNewNotifications';
  const measured = await service.serve(functionId, { CHECK_REVOKED: 'true' });

  const statuses = [await ask(functionId, measured), await ask(functionId, measured)];

  // Nothing is stored for Alice: she has been let in.
  expect(statuses).toEqual([404, 404]);
  expect(service.google.asked.get(LOOKUP)).toBe(2);
});

test('only attested apps get in where the parameter says so', async () => {
  const measured = await service.serve('artists-list', { APP_CHECK: 'enforce' });
  const token = service.google.appCheckToken();
  const forged = `${token.slice(0, -8)}${token.endsWith('AAAAAAAA') ? 'BBBBBBBB' : 'AAAAAAAA'}`;

  const statuses = await Promise.all([
    ask('artists-list', measured, { 'X-Firebase-AppCheck': token }),
    ask('artists-list', measured, { 'X-Firebase-AppCheck': forged }),
    ask('artists-list', measured),
  ]);

  expect(statuses).toEqual([200, 403, 403]);
});

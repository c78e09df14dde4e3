/**
 * Outages of Google, as clients of the built functions see them. Functions run as separate processes and speak REST and
 * TLS, as in production. test/contract/faults has single faults, and what a failed call has done; packages/firestore-rest
 * and packages/endpoints/src/auth have single responses.
 */
import { request } from 'node:http';
import type { InjectedFault } from '../../dev/fakeGoogle/faultInjector.ts';
import type { FunctionProcess } from '../../dev/functionProcess.ts';
import { useProcessService } from '../support/processService.ts';
import {
  createExampleRequest,
  storeFixture,
  type ExampleFixture,
} from '../../demo/exampleRequests.ts';
import { createUniqueId } from '../support/firestore.ts';
import type { RawResponse } from '../../dev/testing/sendRawRequest.ts';
import { sendServiceRequest } from '../support/openapi.ts';

const FIRESTORE = 'firestore.googleapis.com';
const ID_TOKEN_KEYS = 'www.googleapis.com';
const APP_CHECK_KEYS = 'firebaseappcheck.googleapis.com';
const ACCOUNTS = 'identitytoolkit.googleapis.com';
const LISTINGS = 'flash-listByArtist';
const REORDER = 'flash-reorder';

const service = useProcessService();

afterEach(() => {
  service.google.faultInjector.clear();
});

/** Stores an example fixture of its own; the calls to Firestore name its user, who has its prefix. */
async function createFixture(): Promise<ExampleFixture> {
  const name = createUniqueId('alice');
  const fixture = { uid: name, prefix: name };
  await storeFixture(service.store, fixture);
  return fixture;
}

/** An example request with valid tokens. */
function requestOf(functionId: string, fixture: ExampleFixture) {
  const sent = createExampleRequest(functionId, fixture, service.google.createIdToken(fixture.uid));
  const appCheck = { 'X-Firebase-AppCheck': service.google.createAppCheckToken() };
  return { ...sent, headers: { ...sent.headers, ...appCheck } };
}

/** Sends an example request, and checks the response against the OpenAPI document. */
async function ask(
  { origin }: FunctionProcess,
  functionId: string,
  fixture: ExampleFixture,
): Promise<RawResponse> {
  return sendServiceRequest(origin, requestOf(functionId, fixture));
}

/** Sends an example request, and disconnects before the response. */
async function sendAndDisconnect(
  { origin }: FunctionProcess,
  functionId: string,
  fixture: ExampleFixture,
) {
  const { path, body, ...sent } = requestOf(functionId, fixture);
  const left = request(origin + path, { ...sent, agent: false }).on('error', () => undefined);
  const closed = new Promise((resolve) => left.once('close', resolve));
  left.end(body, () => left.destroy());
  await closed;
}

const APP_CHECK = { APP_CHECK: 'enforce' };
const REVOCATION = { CHECK_REVOKED: 'true' };

test.each<
  [what: string, functionId: string, fault: InjectedFault, env?: Readonly<Record<string, string>>]
>([
  ['Firestore cannot be reached', REORDER, { host: FIRESTORE, kind: 'disconnect' }],
  ['Firestore does not respond', REORDER, { host: FIRESTORE, kind: 'hang' }],
  ['Firestore does not respond to queries', LISTINGS, { host: FIRESTORE, kind: 'hang' }],
  ['the metadata server cannot be reached', LISTINGS, { host: 'metadata', kind: 'disconnect' }],
  ['the metadata server fails', LISTINGS, { host: 'metadata', kind: 'status', status: 500 }],
  ['the ID token keys are unavailable', REORDER, { host: ID_TOKEN_KEYS, kind: 'disconnect' }],
  [
    'the App Check keys are unavailable',
    'artists-list',
    { host: APP_CHECK_KEYS, kind: 'disconnect' },
    APP_CHECK,
  ],
  ['account lookup fails', REORDER, { host: ACCOUNTS, kind: 'disconnect' }, REVOCATION],
])('while %s, %s returns 503 without side effects, then recovers', async (...row) => {
  const [, functionId, fault, env] = row;
  const served = await service.serve(functionId, { DEADLINE_SECONDS: '1', ...env });
  const fixture = await createFixture();
  const before = await service.store.get(`flash/${fixture.uid}-0`);
  service.google.expireAccessTokens();
  service.google.faultInjector.inject(fault);

  // A promise that fails after its client has left must not end the process.
  const times = [1, 2, 3, 4, 5];
  const left = times.map(() => sendAndDisconnect(served, functionId, fixture));
  for (const { status, headers } of await Promise.all(
    times.map(() => ask(served, functionId, fixture)),
  )) {
    expect([status, headers['x-error-code']]).toEqual([503, 'unavailable']);
    expect(headers['retry-after']).toMatch(/^\d+$/);
  }
  await Promise.all(left);
  expect(await service.store.get(`flash/${fixture.uid}-0`)).toEqual(before);
  service.google.faultInjector.clear();

  let { status } = await ask(served, functionId, fixture);
  while (status === 503) ({ status } = await ask(served, functionId, fixture));
  expect(status).toBe(200);
});

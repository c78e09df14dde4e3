/**
 * Tests outages of Google. Functions run in separate processes and use REST and TLS, as in production.
 * test/contract/faults.process.test.ts tests single faults and the effects of failed calls, and packages/firestore-rest and
 * packages/endpoints/src/auth test single responses.
 */
import { request } from 'node:http';
import type { InjectedFault } from '../support/google/faultInjector.ts';
import type { FunctionProcess } from '../support/processes/functionProcess.ts';
import { useBuiltService } from '../support/processes/builtService.ts';
import {
  createExampleRequest,
  storeFixture,
  type ExampleFixture,
} from '../support/requests/exampleRequests.ts';
import { createUniqueId } from '../support/requests/uniqueId.ts';
import { sendServiceRequest } from '../support/requests/openapi.ts';

const FIRESTORE = 'firestore.googleapis.com';
const ID_TOKEN_KEYS = 'www.googleapis.com';
const APP_CHECK_KEYS = 'firebaseappcheck.googleapis.com';
const ACCOUNTS = 'identitytoolkit.googleapis.com';
const LISTINGS = 'flash-listByArtist';
const REORDER = 'flash-reorder';
const REQUESTS = 5;

const service = useBuiltService();

afterEach(() => {
  service.google.faultInjector.clear();
});

/** Stores an example fixture with its own user and documents. */
async function createFixture(): Promise<ExampleFixture> {
  const name = createUniqueId('alice');
  const fixture = { uid: name, prefix: name };
  await storeFixture(service.store, fixture);
  return fixture;
}

/** Creates an example request with valid tokens. */
function createRequest(functionId: string, fixture: ExampleFixture) {
  const idToken = service.google.createIdToken(fixture.uid);
  const example = createExampleRequest(functionId, fixture, idToken);
  const appCheck = { 'X-Firebase-AppCheck': service.google.createAppCheckToken() };
  return { ...example, headers: { ...example.headers, ...appCheck } };
}

/** Sends an example request, and disconnects before the response. */
async function sendAndDisconnect(
  { origin }: FunctionProcess,
  functionId: string,
  fixture: ExampleFixture,
) {
  const { path, body, ...options } = createRequest(functionId, fixture);
  const clientRequest = request(origin + path, { ...options, agent: false });
  clientRequest.on('error', () => undefined);
  const closed = new Promise((resolve) => clientRequest.once('close', resolve));
  clientRequest.end(body, () => clientRequest.destroy());
  await closed;
}

test.each<{
  name: string;
  functionId: string;
  fault: InjectedFault;
  parameters?: Readonly<Record<string, string>>;
}>([
  {
    name: 'Firestore cannot be reached',
    functionId: REORDER,
    fault: { host: FIRESTORE, kind: 'disconnect' },
  },
  {
    name: 'Firestore does not respond',
    functionId: REORDER,
    fault: { host: FIRESTORE, kind: 'hang' },
  },
  {
    name: 'Firestore does not respond to queries',
    functionId: LISTINGS,
    fault: { host: FIRESTORE, kind: 'hang' },
  },
  {
    name: 'the metadata server cannot be reached',
    functionId: LISTINGS,
    fault: { host: 'metadata', kind: 'disconnect' },
  },
  {
    name: 'the metadata server fails',
    functionId: LISTINGS,
    fault: { host: 'metadata', kind: 'status', status: 500 },
  },
  {
    name: 'the ID token keys are unavailable',
    functionId: REORDER,
    fault: { host: ID_TOKEN_KEYS, kind: 'disconnect' },
  },
  {
    name: 'the App Check keys are unavailable',
    functionId: 'artists-list',
    fault: { host: APP_CHECK_KEYS, kind: 'disconnect' },
    parameters: { APP_CHECK: 'enforce' },
  },
  {
    name: 'the account lookup fails',
    functionId: REORDER,
    fault: { host: ACCOUNTS, kind: 'disconnect' },
    parameters: { CHECK_REVOKED: 'true' },
  },
])('$functionId returns 503 without side effects while $name, then recovers', async (row) => {
  const { functionId, fault, parameters } = row;
  const functionProcess = await service.serve(functionId, { DEADLINE_SECONDS: '1', ...parameters });
  const fixture = await createFixture();
  const send = () => sendServiceRequest(functionProcess.origin, createRequest(functionId, fixture));
  const before = await service.store.get(`flash/${fixture.uid}-0`);
  service.google.expireAccessTokens();
  service.google.faultInjector.inject(fault);

  // A promise that rejects after its client has disconnected must not end the process.
  const disconnected = Array.from({ length: REQUESTS }, () =>
    sendAndDisconnect(functionProcess, functionId, fixture),
  );
  const responses = await Promise.all(Array.from({ length: REQUESTS }, send));
  for (const { status, headers } of responses) {
    expect([status, headers['x-error-code']]).toEqual([503, 'unavailable']);
    expect(headers['retry-after']).toMatch(/^\d+$/);
  }
  await Promise.all(disconnected);
  expect(await service.store.get(`flash/${fixture.uid}-0`)).toEqual(before);
  service.google.faultInjector.clear();

  let { status } = await send();
  while (status === 503) ({ status } = await send());
  expect(status).toBe(200);
});

/**
 * Faults between the built functions and Google, as a client sees them: those that pass go unnoticed, those that last
 * lead to 503. Functions run as separate processes and speak REST and TLS, as in production. What a failed call has done
 * is the subject of test/contract; single responses are that of packages/firestore-rest and test/auth.
 */
import { request } from 'node:http';
import type { WireFault } from '../../dev/google/faults.ts';
import type { DeployedFunction } from '../support/deployedFunction.ts';
import { deployedService } from '../support/deployedService.ts';
import {
  exampleRequest,
  storeExampleWorld,
  type ExampleWorld,
} from '../../demo/exampleRequests.ts';
import { freshId } from '../support/firestore.ts';
import type { RawResponse } from '../support/rawRequest.ts';
import { serviceRequest } from '../support/documented.ts';

const FIRESTORE = 'firestore.googleapis.com';
const ID_TOKEN_KEYS = 'www.googleapis.com';
const APP_CHECK_KEYS = 'firebaseappcheck.googleapis.com';
const ACCOUNTS = 'identitytoolkit.googleapis.com';
const LISTINGS = 'flash-listByArtist';
const REORDER = 'flash-reorder';

const service = deployedService();

afterEach(() => {
  service.google.faults.heal();
});

/** Stores an example world of its own; the calls to Firestore name its user, who has its prefix. */
async function freshWorld(): Promise<ExampleWorld> {
  const name = freshId('alice');
  const world = { uid: name, prefix: name };
  await storeExampleWorld(service.store, world);
  return world;
}

/** An example request with valid tokens. */
function requestOf(functionId: string, world: ExampleWorld) {
  const sent = exampleRequest(functionId, world, service.google.tokenOf(world.uid));
  const appCheck = { 'X-Firebase-AppCheck': service.google.appCheckToken() };
  return { ...sent, headers: { ...sent.headers, ...appCheck } };
}

/** Sends an example request, and checks the response against the OpenAPI document. */
async function ask(
  { origin }: DeployedFunction,
  functionId: string,
  world: ExampleWorld,
): Promise<RawResponse> {
  return serviceRequest(origin, requestOf(functionId, world));
}

/** Sends an example request, and disconnects before the response. */
async function leave({ origin }: DeployedFunction, functionId: string, world: ExampleWorld) {
  const { path, body, ...sent } = requestOf(functionId, world);
  const left = request(origin + path, { ...sent, agent: false }).on('error', () => undefined);
  const closed = new Promise((resolve) => left.once('close', resolve));
  left.end(body, () => left.destroy());
  await closed;
}

describe('a fault that passes is not noticed by callers, and all work is done exactly once', () => {
  const CALLS = ['batchGet', 'runQuery', 'runAggregationQuery', 'commit'];
  const functionIds = [LISTINGS, 'bookings-deleteSession', 'gallery-removePhotos'];
  let served: (readonly [string, DeployedFunction])[];

  beforeAll(async () => {
    const env = { DEADLINE_SECONDS: '30', PAGE_CACHE_SECONDS: '0' };
    served = await Promise.all(
      functionIds.map(async (id) => [id, await service.serve(id, env)] as const),
    );
  });

  test.each<Omit<WireFault, 'host'>>([
    { kind: 'disconnect' },
    { kind: 'status', status: 503 },
    { kind: 'status', status: 409 },
    { kind: 'disconnect after effect' },
    { kind: 'status after effect', status: 499 },
    { kind: 'status after effect', status: 500 },
    // UNKNOWN
    { kind: 'status after effect', status: 520 },
    { kind: 'cut' },
    { kind: 'error at the end' },
    { kind: 'hang', call: 'batchGet' },
    { kind: 'hang', call: 'runQuery' },
  ])('%j', async (fault) => {
    const world = await freshWorld();
    const booking = `bookings/${world.uid}-0`;
    const sessionsLeft = async () => (await service.store.get(booking))?.sessions as object[];
    const { length } = await sessionsLeft();
    for (const call of fault.call ? [fault.call] : CALLS) {
      service.google.faults.inject({ ...fault, host: FIRESTORE, call, about: world.uid, times: 1 });
    }

    const answers = await Promise.all(served.map(([id, each]) => ask(each, id, world)));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(service.google.faults.heal(world.uid)).toEqual([]);
    expect(await sessionsLeft()).toHaveLength(length - 1);
  });
});

const APP_CHECK = { APP_CHECK: 'enforce' };
const REVOCATION = { CHECK_REVOKED: 'true' };

test.each<
  [what: string, functionId: string, fault: WireFault, env?: Readonly<Record<string, string>>]
>([
  ['Firestore cannot be reached', REORDER, { host: FIRESTORE, kind: 'disconnect' }],
  ['Firestore does not respond', REORDER, { host: FIRESTORE, kind: 'hang' }],
  ['lists of Firestore do not come', LISTINGS, { host: FIRESTORE, kind: 'hang' }],
  ['the metadata server cannot be reached', LISTINGS, { host: 'metadata', kind: 'disconnect' }],
  ['the metadata server fails', LISTINGS, { host: 'metadata', kind: 'status', status: 500 }],
  ['the keys of ID tokens are missing', REORDER, { host: ID_TOKEN_KEYS, kind: 'disconnect' }],
  [
    'those of App Check are',
    'artists-list',
    { host: APP_CHECK_KEYS, kind: 'disconnect' },
    APP_CHECK,
  ],
  ['no account can be looked up', REORDER, { host: ACCOUNTS, kind: 'disconnect' }, REVOCATION],
])('while %s, %s returns 503 and changes nothing; then it works again', async (...row) => {
  const [, functionId, fault, env] = row;
  const served = await service.serve(functionId, { DEADLINE_SECONDS: '1', ...env });
  const world = await freshWorld();
  const before = await service.store.get(`flash/${world.uid}-0`);
  service.google.expireAccessTokens();
  service.google.faults.inject(fault);

  // A promise that fails after its client has left must not end the process.
  const times = [1, 2, 3, 4, 5];
  const left = times.map(() => leave(served, functionId, world));
  for (const { status, headers } of await Promise.all(
    times.map(() => ask(served, functionId, world)),
  )) {
    expect([status, headers['x-error-code']]).toEqual([503, 'unavailable']);
    expect(headers['retry-after']).toMatch(/^\d+$/);
  }
  await Promise.all(left);
  expect(await service.store.get(`flash/${world.uid}-0`)).toEqual(before);
  service.google.faults.heal();

  let { status } = await ask(served, functionId, world);
  while (status === 503) ({ status } = await ask(served, functionId, world));
  expect(status).toBe(200);
});

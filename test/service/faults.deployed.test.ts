/**
 * Faults between the service and Google, as the client sees them: those that pass go unnoticed, those that last lead to
 * 503. Functions run as separate processes and speak REST and TLS, as in production. What a commit in doubt has done is
 * the subject of test/service/contract, and single responses that of test/firestore/client.
 */
import type { WireFault } from '../emulator/google/faults.ts';
import type { DeployedFunction } from '../support/deployedFunction.ts';
import { deployedService } from '../support/deployedService.ts';
import { deployedEndpoints } from '../support/deployMap.ts';
import { exampleRequest, storeExampleWorld } from '../support/exampleRequests.ts';
import { freshId } from '../support/firestore.ts';
import type { RawResponse } from '../support/rawRequest.ts';
import { rootOf, serviceRequest } from '../support/serviceRequest.ts';

const ALL = deployedEndpoints.map(({ functionId }) => functionId);

type Fault = Omit<WireFault, 'host'>;

/** Faults that take no effect. */
const WITHOUT_EFFECT: readonly (readonly [string, Fault])[] = [
  ['refused connections', { kind: 'refused' }],
  ['connections that are reset before the response', { kind: 'reset' }],
  ['no response', { kind: 'hang' }],
  ['pages of HTML from a front end', { kind: 'html' }],
  ['503', { kind: 'status', status: 503 }],
  ['aborted calls', { kind: 'status', status: 409 }],
];
/** Faults of calls that may have taken effect. */
const PERHAPS_WITH_EFFECT: readonly (readonly [string, Fault])[] = [
  ['connections that are reset in the middle of the response', { kind: 'reset within body' }],
  ['responses that stop in the middle', { kind: 'hang within body' }],
  ['truncated responses that claim to be complete', { kind: 'cut' }],
  ['truncated chunked responses', { kind: 'cut in chunks' }],
  ['lists that end with an error', { kind: 'error at the end' }],
];
const READS = ['batchGet', 'runQuery', 'runAggregationQuery'];

/** An example world of its own for one request to a function; all its calls name the user, who has the prefix. */
interface Visit {
  readonly functionId: string;
  readonly uid: string;
  readonly prefix: string;
}

const service = deployedService();
const { short, long } = { short: served('1'), long: served('30') };

/** All functions, with a deadline. */
function served(seconds: string): ReadonlyMap<string, DeployedFunction> {
  const functions = new Map<string, DeployedFunction>();
  beforeAll(async () => {
    const parameters = { PUBLIC_CACHE_SECONDS: '0', PAGE_CACHE_SECONDS: '0' };
    await Promise.all(
      ALL.map(async (functionId) => {
        const env = { ...parameters, DEADLINE_SECONDS: seconds };
        functions.set(functionId, await service.serve(functionId, env));
      }),
    );
    // Fetches Google's keys and the access tokens, so that the faults affect only Firestore.
    await Promise.all((await visits()).map(async (visit) => insist(functions, visit)));
  });
  return functions;
}

afterEach(() => service.google.heal());

/** A new world for each function. */
async function visits(): Promise<Visit[]> {
  return Promise.all(
    ALL.map(async (functionId) => {
      const name = freshId('alice');
      const world = { uid: name, prefix: name };
      await storeExampleWorld(service.store, world);
      return { functionId, ...world };
    }),
  );
}

/** Sends an example request, and checks the response against the OpenAPI document. */
async function ask(functions: typeof short, { functionId, ...world }: Visit): Promise<RawResponse> {
  const token = service.google.tokenOf(world.uid);
  const { path, ...request } = exampleRequest(functionId, world, token);
  return serviceRequest(rootOf(functions.get(functionId)?.origin ?? ''), path, request);
}

async function askAll(functions: typeof short, all: readonly Visit[]) {
  const responses = await Promise.all(all.map((visit) => ask(functions, visit)));
  return responses.map(({ status }, index) => [all[index]?.functionId, status]);
}

/** Retries like an app until the status is not 503. On a slow machine, a deletion can succeed although it is late. */
async function insist(functions: typeof short, visit: Visit): Promise<void> {
  let { status } = await ask(functions, visit);
  const isDeletedBefore = status === 503 && /delete|remove/i.test(visit.functionId);
  while (status === 503) ({ status } = await ask(functions, visit));
  expect([visit.functionId, status === 404 && isDeletedBefore ? 200 : status]).toEqual([
    visit.functionId,
    200,
  ]);
}

function fault(what: Fault): void {
  service.google.fault({ host: 'firestore.googleapis.com', ...what });
}

/** The stored documents of a world, with ids and times replaced so that worlds are comparable. */
async function stored({ uid, prefix }: Visit): Promise<unknown> {
  const names = ['flash', 'gallery', 'availability', 'unavailableEvents', 'bookings'];
  const paths = names.flatMap((name) => [0, 1, 2].map((index) => `${name}/${prefix}-${index}`));
  const found = await service.store.getAll([...paths, `users/${uid}`]);
  const text = JSON.stringify(Object.fromEntries(Object.entries(found).sort()));
  return text.replaceAll(uid, 'alice').replace(/"updatedAt":\d+/g, '"updatedAt":0');
}

/** Worlds in which each request was served once. */
async function expectServedOnce(all: readonly Visit[]): Promise<void> {
  const undisturbed = await visits();
  await askAll(long, undisturbed);

  expect(await Promise.all(all.map(stored))).toEqual(await Promise.all(undisturbed.map(stored)));
}

async function expectUnavailable(all: readonly Visit[]): Promise<void> {
  for (const { status, headers, text } of await Promise.all(all.map((each) => ask(short, each)))) {
    expect([status, JSON.parse(text)]).toEqual([503, { message: expect.any(String) as string }]);
    expect(headers['retry-after']).toMatch(/^\d+$/);
    expect(['unavailable', 'outcome-unknown']).toContain(headers['x-error-code']);
  }
}

describe('a lasting fault', () => {
  test.each(WITHOUT_EFFECT)(
    'makes every endpoint return 503 and change nothing until it ends: %s',
    async (_what, what) => {
      const all = await visits();
      const before = await Promise.all(all.map(stored));
      fault(what);

      await expectUnavailable(all);
      expect(await Promise.all(all.map(stored))).toEqual(before);
      await service.google.heal();

      await Promise.all(all.map((visit) => insist(short, visit)));
      await expectServedOnce(all);
    },
  );

  test.each(PERHAPS_WITH_EFFECT)(
    'never leads to a partial response, and needs no restart afterwards: %s',
    async (_what, what) => {
      const all = await visits();
      for (const call of READS) fault({ ...what, call });

      await expectUnavailable(all);
      await service.google.heal();

      await Promise.all(all.map((visit) => insist(short, visit)));
    },
  );

  test.each([
    ['cannot be reached', { kind: 'refused' }],
    ['does not respond', { kind: 'hang' }],
    ['fails', { kind: 'status', status: 500 }],
  ] as const)('of the metadata server, which %s, ends with it', async (_what, what) => {
    const all = await visits();
    service.google.expireAccessTokens();
    service.google.fault({ host: 'metadata', ...what });

    await expectUnavailable(all);
    await service.google.heal();

    await Promise.all(all.map((visit) => insist(short, visit)));
  });
});

describe('a fault that passes', () => {
  test.each(
    [...WITHOUT_EFFECT, ...PERHAPS_WITH_EFFECT].filter(
      ([, { kind }]) => !/hang|refused/.test(kind),
    ),
  )('goes unnoticed, and all work is done exactly once: %s', async (_what, what) => {
    const all = await visits();
    for (const { functionId, uid } of all) {
      const about = functionId === 'artists-list' ? 'isVerified' : uid;
      for (const call of [...READS, 'commit']) fault({ ...what, call, about, times: 1 });
    }

    expect(await askAll(long, all)).toEqual(ALL.map((id) => [id, 200]));
    await service.google.heal();

    await expectServedOnce(all);
  });

  test('goes unnoticed if connections hang: they are replaced', async () => {
    for (const call of [...READS, 'commit']) fault({ call, kind: 'hang', times: 2 });

    expect(await askAll(long, await visits())).toEqual(ALL.map((id) => [id, 200]));
  });

  test('goes unnoticed if access tokens expire: they are replaced', async () => {
    const all = await visits();
    service.google.expireAccessTokens();

    expect(await askAll(long, all)).toEqual(ALL.map((id) => [id, 200]));
  });
});

/** Helpers of the fault tests: the injected faults, the requests, and the stored documents. */
import type { WireFault } from '../../emulator/google/faults.ts';
import type { DeployedFunction } from '../../support/deployedFunction.ts';
import { deployedService } from '../../support/deployedService.ts';
import { deployedEndpoints } from '../../support/deployMap.ts';
import { exampleRequest, storeExampleWorld } from '../../support/exampleRequests.ts';
import { freshId } from '../../support/firestore.ts';
import type { RawResponse } from '../../support/rawRequest.ts';
import { rootOf, serviceRequest } from '../../support/serviceRequest.ts';

export const ALL = deployedEndpoints.map(({ functionId }) => functionId);
export const WRITING = deployedEndpoints
  .filter(({ endpoint }) => endpoint.declaration.method !== 'GET')
  .map(({ functionId }) => functionId);

/** A fault in the calls to Firestore. */
export type Fault = Omit<WireFault, 'host'>;

/** Faults that pass, and take no effect. The client's own tests have every status that is one. */
export const WITHOUT_EFFECT: readonly (readonly [string, Fault])[] = [
  ['refused connections', { kind: 'refused' }],
  ['connections that are reset before the response', { kind: 'reset' }],
  ['no response', { kind: 'hang' }],
  ['pages of HTML from a front end', { kind: 'html' }],
  ['503', { kind: 'status', status: 503 }],
  ['aborted calls', { kind: 'status', status: 409 }],
];
/** Transient faults of calls that may have taken effect. */
export const PERHAPS_WITH_EFFECT: readonly (readonly [string, Fault])[] = [
  ['connections that are reset in the middle of the response', { kind: 'reset within body' }],
  ['responses that stop in the middle', { kind: 'hang within body' }],
  ['truncated responses that claim to be complete', { kind: 'cut' }],
  ['truncated chunked responses', { kind: 'cut in chunks' }],
  ['lists that end with an error', { kind: 'error at the end' }],
];

export interface World {
  readonly uid: string;
  readonly prefix: string;
}

/** Whether a repeated request finds its documents already deleted. */
export function deletes(functionId: string): boolean {
  return /delete|remove/i.test(functionId);
}

/** The whole service for the tests of one file, and worlds in which faults strike; `env` are parameters. */
export function worldsWith(env: Readonly<Record<string, string>>) {
  const service = deployedService();
  const served = new Map<string, DeployedFunction>();
  const outcomes = new Map<string, unknown>();

  beforeAll(async () => {
    const parameters = { PUBLIC_CACHE_SECONDS: '0', PAGE_CACHE_SECONDS: '0', ...env };
    await Promise.all(
      ALL.map(async (functionId) => {
        served.set(functionId, await service.serve(functionId, parameters));
      }),
    );
  });

  return { service, ask, fresh, freshForEach, stored, storedAfter, serve, fault };

  /** Sends the example request of a function in a world, and checks the response against the OpenAPI document. */
  async function ask(functionId: string, world: World): Promise<RawResponse> {
    const { origin = '' } = served.get(functionId) ?? {};
    const token = service.google.tokenOf(world.uid);
    const { path, ...request } = exampleRequest(functionId, world, token);
    return serviceRequest(rootOf(origin), path, request);
  }

  function fault(what: Fault): void {
    service.google.fault({ host: 'firestore.googleapis.com', ...what });
  }

  async function fresh(): Promise<World> {
    const world = { uid: freshId('alice'), prefix: freshId('thing') };
    await storeExampleWorld(service.store, world);
    return world;
  }

  /** A new world for each of these functions. */
  async function freshForEach(functionIds: readonly string[]) {
    return Promise.all(
      functionIds.map(async (functionId) => ({ functionId, world: await fresh() })),
    );
  }

  /** The stored documents of a world, with ids and times replaced so that worlds are comparable. */
  async function stored({ uid, prefix }: World): Promise<unknown> {
    const names = ['flash', 'gallery', 'availability', 'unavailableEvents', 'bookings'];
    const paths = names.flatMap((name) => [0, 1, 2].map((index) => `${name}/${prefix}-${index}`));
    const documents = await service.store.getAll([...paths, `users/${uid}`]);
    const text = JSON.stringify([...paths, `users/${uid}`].map((path) => documents[path] ?? null));
    const named = text.replaceAll(uid, 'alice').replaceAll(prefix, 'thing');
    return JSON.parse(named.replace(/"updatedAt":\d+/g, '"updatedAt":0'));
  }

  /**
   * Retries like an app until the status is not 503; returns the last status. On a slow machine, a delete can succeed
   * although its response is late: then 404 for the retry counts as success.
   */
  async function serve(functionId: string, world: World): Promise<number> {
    let { status } = await ask(functionId, world);
    const isRetried = status === 503;
    while (status === 503) ({ status } = await ask(functionId, world));
    return status === 404 && isRetried && deletes(functionId) ? 200 : status;
  }

  /** The stored documents after an undisturbed request; the same for every world. */
  async function storedAfter(functionId: string): Promise<unknown> {
    let outcome = outcomes.get(functionId);
    if (outcome === undefined) {
      const world = await fresh();
      expect([functionId, await serve(functionId, world)]).toEqual([functionId, 200]);
      outcome = await stored(world);
      outcomes.set(functionId, outcome);
    }
    return outcome;
  }
}

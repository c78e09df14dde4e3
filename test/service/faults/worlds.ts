/** Helpers of the fault tests: the injected faults, the requests, and the stored documents. */
import type { WireFault } from '../../emulator/google/faults.ts';
import type { DeployedService } from '../../support/deployedService.ts';
import { deployedEndpoints } from '../../support/deployMap.ts';
import { storeExampleWorld } from '../../support/exampleRequests.ts';
import { freshId } from '../../support/firestore.ts';

export const ALL = deployedEndpoints.map(({ functionId }) => functionId);
export const WRITING = deployedEndpoints
  .filter(({ endpoint }) => endpoint.declaration.method !== 'GET')
  .map(({ functionId }) => functionId);

/** A fault in the calls to Firestore. */
export type Fault = Omit<WireFault, 'host'>;

/** Transient faults of calls that have no effect. */
export const WITHOUT_EFFECT: readonly (readonly [string, Fault])[] = [
  ['refused connections', { kind: 'refused' }],
  ['connections that are reset before the response', { kind: 'reset' }],
  ['no response', { kind: 'hang' }],
  ['pages of HTML from a front end', { kind: 'html' }],
  ['429', { kind: 'status', status: 429 }],
  ['500', { kind: 'status', status: 500 }],
  ['503', { kind: 'status', status: 503 }],
  ['504', { kind: 'status', status: 504 }],
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

/** Creates and reads worlds: sets of documents for one request. */
export function worldsOf(service: DeployedService) {
  const outcomes = new Map<string, unknown>();
  return { fresh, freshForEach, stored, storedAfter, serve, fault };

  function fault(what: Fault): void {
    service.google.fault({ host: 'firestore.googleapis.com', ...what });
  }

  async function fresh(): Promise<World> {
    const world = { uid: freshId('alice'), prefix: freshId('thing') };
    await storeExampleWorld(service.firestore, world);
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
    const documents = await service.firestore.getAll(
      ...[...paths, `users/${uid}`].map((path) => service.firestore.doc(path)),
    );
    const text = JSON.stringify(documents.map((document) => document.data() ?? null));
    const named = text.replaceAll(uid, 'alice').replaceAll(prefix, 'thing');
    return JSON.parse(named.replace(/"updatedAt":\d+/g, '"updatedAt":0'));
  }

  /**
   * Retries like an app until the status is not 503; returns the last status. On a slow machine, a delete can succeed
   * although its response is late: then 404 for the retry counts as success.
   */
  async function serve(functionId: string, world: World): Promise<number> {
    let { status } = await service.send(functionId, world);
    const isRetried = status === 503;
    while (status === 503) ({ status } = await service.send(functionId, world));
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

/** What each endpoint costs, as billed by Firestore, and how many calls it makes. */
import documents from '../../dev/shared/documents.json' with { type: 'json' };
import { deployedEndpoints } from '../../dev/shared/deployMap.ts';
import {
  exampleRequest,
  storeExampleWorld,
  type ExampleWorld,
} from '../../dev/shared/exampleRequests.ts';
import { publicCacheSeconds } from '../../functions/src/parameters.ts';
import { freshId } from '../support/firestore.ts';
import { inProcessService } from '../support/inProcessService.ts';

const service = inProcessService();

/** The status of a request, and what it used. */
interface Cost {
  readonly status: number;
  readonly reads: number;
  readonly writes: number;
  readonly deletes: number;
  readonly calls: Readonly<Record<string, number>>;
}

type Query = Readonly<Record<string, string>>;

async function costOf(functionId: string, world: ExampleWorld, query: Query = {}): Promise<Cost> {
  const request = exampleRequest(functionId, world, service.tokenOf(world.uid), query);
  const before = await service.store.usage();
  const { status } = await service.send(functionId, request);
  const after = await service.store.usage();
  const calls = Object.entries(after.calls).map(
    ([name, count]) => [name, count - (before.calls[name] ?? 0)] as const,
  );
  return {
    status,
    reads: after.reads - before.reads,
    writes: after.writes - before.writes,
    deletes: after.deletes - before.deletes,
    calls: Object.fromEntries(calls.filter(([, count]) => count > 0)),
  };
}

/** A world with this many documents in a list. */
async function worldOf(size: number): Promise<ExampleWorld> {
  const world = { uid: freshId('alice'), prefix: freshId('thing'), size };
  await storeExampleWorld(service.store, world);
  return world;
}

/** The fields by which endpoints have queried so far, and which the stored documents lack: a query does not find them. */
async function lackingFields(): Promise<string[]> {
  const { queries } = await service.store.usage();
  const complete: Readonly<Record<string, unknown>> = { ...documents };
  return queries.flatMap(({ collection, fields }) =>
    fields
      .filter((path) => valueAt(complete[collection], path.split('.')) === undefined)
      .map((path) => `${collection}.${path}`),
  );
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((now, name) => (now as Record<string, unknown> | undefined)?.[name], value);
}

const NOTHING: Cost = { status: 200, reads: 0, writes: 0, deletes: 0, calls: {} };
const GET = { batchGet: 1 };
const WRITE = { ...GET, commit: 1 };
const BOTH = { runQuery: 1, runAggregationQuery: 1 };

/** The length of a list, a page of it, and what the request costs. */
type Row = readonly [size: number, page: { limit?: number; after?: number }, Partial<Cost>];

const ONE: readonly Row[] = [[3, {}, { reads: 1, writes: 1, calls: WRITE }]];
const ALL = [1, 500].map((size): Row => [size, {}, { reads: size, writes: size, calls: WRITE }]);
const LIST = [1, 50].flatMap((limit): Row[] => [
  // The elements and the count.
  [60, { limit }, { reads: limit + 1, calls: BOTH }],
  // One look-ahead and the cursor, too.
  [60, { limit, after: 4 }, { reads: limit + 1 + 1 + 1, calls: { ...GET, ...BOTH } }],
]);

const COSTS: Readonly<Record<string, readonly Row[]>> = {
  // Has a test below.
  'artists-list': [],
  'availability-updateAvailability': ONE,
  'bookings-deleteSession': ONE,
  'conversations-getMessages': [1, 50].flatMap((limit): Row[] => [
    // The conversation and one look-ahead.
    [60, { limit }, { reads: limit + 1 + 1, calls: { ...GET, runQuery: 1 } }],
    // The cursor, too.
    [60, { limit, after: 55 }, { reads: limit + 1 + 1 + 1, calls: { batchGet: 2, runQuery: 1 } }],
  ]),
  'flash-listByArtist': LIST,
  'flash-markAsAvailable': ALL,
  'flash-markAsUnavailable': ALL,
  'flash-reorder': ALL,
  'gallery-listByArtist': LIST,
  'gallery-removePhotos': ALL.map(([size, page, { reads = 0, calls = {} }]) => {
    return [size, page, { reads, deletes: size, calls }];
  }),
  'notifications-resetNewNotifications': ONE,
  'unavailableEvents-editUnavailableEvent': ONE,
};

test.each(deployedEndpoints.map(({ functionId }) => functionId))(
  '%s costs what is said here',
  async (functionId) => {
    const rows = COSTS[functionId];
    if (rows === undefined) throw new Error(`test/service/cost.test.ts lacks ${functionId}.`);
    for (const [size, { limit, after }, cost] of rows) {
      const world = await worldOf(size);
      const query = {
        ...(limit !== undefined && { limit: String(limit) }),
        ...(after !== undefined && { cursor: `${world.prefix}-${after}` }),
      };
      const found = await costOf(functionId, world, query);
      expect({ 'dev/shared/documents.json lacks': await lackingFields() }).toEqual({
        'dev/shared/documents.json lacks': [],
      });
      expect([size, query, found]).toEqual([size, query, { ...NOTHING, ...cost }]);
    }
  },
);

describe.each(['flash-listByArtist', 'gallery-listByArtist'])('%s', (list) => {
  test('reads one document to refuse a cursor of another list', async () => {
    const [world, other] = [await worldOf(3), await worldOf(3)];

    const cost = await costOf(list, world, { cursor: `${other.prefix}-0` });
    expect(cost).toEqual({ ...NOTHING, status: 400, reads: 1, calls: GET });
  });

  test('reads twice for an unknown artist', async () => {
    const nobody = { uid: freshId('nobody'), prefix: 'nothing' };

    expect((await costOf(list, nobody)).reads).toBe(2);
  });
});

test('a list costs the same at any depth, and one read more for each 1000 that are counted', async () => {
  const world = await worldOf(1100);

  expect((await costOf('flash-listByArtist', world, { limit: '20' })).reads).toBe(20 + 2);
  for (const depth of [10, 1000]) {
    const query = { limit: '20', cursor: `${world.prefix}-${depth}` };
    expect((await costOf('flash-listByArtist', world, query)).reads).toBe(20 + 1 + 1 + 2);
  }
});

test('a counter of notifications that is 0 is read, and not written', async () => {
  const world = await worldOf(1);
  await service.store.set(`users/${world.uid}`, { newNotificationsCount: 0 });

  const cost = await costOf('notifications-resetNewNotifications', world);
  expect(cost).toEqual({ ...NOTHING, reads: 1, calls: GET });
});

test('artists-list is read once for many requests', async () => {
  jest.spyOn(publicCacheSeconds, 'value').mockReturnValue(60);
  const artist = { userType: 'artist', artistInfo: { isVerified: true } };
  await service.store.setAll(
    Array.from({ length: 300 }, (_, n) => [`users/artist-${n}`, artist] as const),
  );
  const world = { uid: 'alice', prefix: 'thing' };

  // In a small part, and then one whose size is known.
  expect(await costOf('artists-list', world)).toMatchObject({ reads: 300, calls: { runQuery: 2 } });
  expect(await costOf('artists-list', world)).toEqual(NOTHING);
});

/** What each endpoint costs, as billed by Firestore, and how many calls it makes. */
import {
  exampleRequest,
  storeExampleWorld,
  type ExampleWorld,
} from '../support/exampleRequests.ts';
import { freshId } from '../support/firestore.ts';
import { inProcessService } from '../support/inProcessService.ts';

const service = inProcessService();

afterEach(() => {
  process.env.PUBLIC_CACHE_SECONDS = '0';
  process.env.PAGE_CACHE_SECONDS = '0';
});

/** What a request used. */
interface Cost {
  readonly reads: number;
  readonly writes: number;
  readonly deletes: number;
  readonly calls: Readonly<Record<string, number>>;
}

async function costOf(
  functionId: string,
  world: ExampleWorld,
  query: Readonly<Record<string, string>> = {},
): Promise<Cost> {
  const { path, ...options } = exampleRequest(functionId, world, service.tokenOf(world.uid), query);
  const before = await service.store.usage();
  const answer = await service.send(functionId, path, options);
  const after = await service.store.usage();
  expect(answer.status).toBe(200);
  const calls = Object.entries(after.calls).map(
    ([name, count]) => [name, count - (before.calls[name] ?? 0)] as const,
  );
  return {
    reads: after.reads - before.reads,
    writes: after.writes - before.writes,
    deletes: after.deletes - before.deletes,
    calls: Object.fromEntries(calls.filter(([, count]) => count > 0)),
  };
}

/** A world of a function, with this many documents in a list. */
async function worldOf(functionId: string, size: number): Promise<ExampleWorld> {
  const world = { uid: freshId('alice'), prefix: freshId('thing'), size };
  // The group of a function is named as its collection.
  await storeExampleWorld(service.store, world, functionId.split('-')[0]);
  return world;
}

const LISTS = ['flash-listByArtist', 'gallery-listByArtist'];
const BOTH = { runQuery: 1, runAggregationQuery: 1 };

describe.each(LISTS)('%s', (list) => {
  test.each([1, 50])('reads for a first page of %d its elements and the count', async (limit) => {
    const world = await worldOf(list, 60);

    expect(await costOf(list, world, { limit: String(limit) })).toEqual({
      reads: limit + 1,
      writes: 0,
      deletes: 0,
      calls: BOTH,
    });
  });

  test.each([1, 50])(
    'reads for a later page of %d also one look-ahead and the cursor',
    async (limit) => {
      const world = await worldOf(list, 60);
      const query = { limit: String(limit), cursor: `${world.prefix}-4` };

      expect(await costOf(list, world, query)).toEqual({
        reads: limit + 1 + 1 + 1,
        writes: 0,
        deletes: 0,
        calls: { batchGet: 1, ...BOTH },
      });
    },
  );

  test('does not count again within the cache lifetime of a page', async () => {
    process.env.PAGE_CACHE_SECONDS = '60';
    const world = await worldOf(list, 10);

    await costOf(list, world, { limit: '2' });
    // Nor for a first page of another size, which takes a look-ahead element instead.
    expect(await costOf(list, world, { limit: '3' })).toMatchObject({
      reads: 3 + 1,
      calls: { RunQuery: 1 },
    });
    const later = await costOf(list, world, { limit: '2', cursor: `${world.prefix}-1` });

    // Nor does it read the cursor that it has given out.
    expect(later).toMatchObject({ reads: 2 + 1, calls: { runQuery: 1 } });
    expect(later.calls).not.toHaveProperty('runAggregationQuery');
    expect(later.calls).not.toHaveProperty('batchGet');
  });

  test('reads one document to refuse a cursor of another list', async () => {
    const [world, other] = [await worldOf(list, 3), await worldOf(list, 3)];
    const query = `?cursor=${other.prefix}-0`;
    const path = exampleRequest(list, world, '').path + query;
    const before = await service.store.usage();

    const { status } = await service.send(list, path);

    const after = await service.store.usage();
    expect([status, after.reads - before.reads]).toEqual([400, 1]);
    expect(after.calls.runAggregationQuery).toBe(before.calls.runAggregationQuery);
  });

  test('reads twice for an unknown artist', async () => {
    const nobody = { uid: freshId('nobody'), prefix: 'nothing' };

    expect((await costOf(list, nobody)).reads).toBe(2);
  });
});

test('a list costs the same at any depth, and one read more for each 1000 that are counted', async () => {
  const world = await worldOf('flash-listByArtist', 1100);

  expect((await costOf('flash-listByArtist', world, { limit: '20' })).reads).toBe(20 + 2);
  for (const depth of [10, 1000]) {
    const query = { limit: '20', cursor: `${world.prefix}-${depth}` };
    expect((await costOf('flash-listByArtist', world, query)).reads).toBe(20 + 1 + 1 + 2);
  }
});

describe('conversations-getMessages', () => {
  test.each([1, 50])(
    'reads for a page of %d the conversation and one look-ahead',
    async (limit) => {
      const world = await worldOf('conversations-getMessages', 60);

      expect(await costOf('conversations-getMessages', world, { limit: String(limit) })).toEqual({
        reads: limit + 1 + 1,
        writes: 0,
        deletes: 0,
        calls: { batchGet: 1, runQuery: 1 },
      });
      const query = { limit: String(limit), cursor: `${world.prefix}-55` };
      expect((await costOf('conversations-getMessages', world, query)).reads).toBe(
        limit + 1 + 1 + 1,
      );
    },
  );
});

describe.each([
  ['flash-markAsAvailable', 'writes'],
  ['flash-markAsUnavailable', 'writes'],
  ['flash-reorder', 'writes'],
  ['gallery-removePhotos', 'deletes'],
] as const)('%s', (functionId, change) => {
  test.each([1, 500])('reads each of %d documents once, and changes each once', async (size) => {
    const world = await worldOf(functionId, size);

    expect(await costOf(functionId, world)).toEqual({
      reads: size,
      writes: 0,
      deletes: 0,
      [change]: size,
      calls: { batchGet: 1, commit: 1 },
    });
  });
});

test.each([
  'availability-updateAvailability',
  'bookings-deleteSession',
  'unavailableEvents-editUnavailableEvent',
])('%s reads its document once, and writes it once', async (functionId) => {
  expect(await costOf(functionId, await worldOf(functionId, 3))).toEqual({
    reads: 1,
    writes: 1,
    deletes: 0,
    calls: { batchGet: 1, commit: 1 },
  });
});

test('notifications-resetNewNotifications reads once and writes once, and writes nothing if the count is 0', async () => {
  const world = await worldOf('notifications-resetNewNotifications', 1);

  expect(await costOf('notifications-resetNewNotifications', world)).toEqual({
    reads: 1,
    writes: 1,
    deletes: 0,
    calls: { batchGet: 1, commit: 1 },
  });
  expect(await costOf('notifications-resetNewNotifications', world)).toEqual({
    reads: 1,
    writes: 0,
    deletes: 0,
    calls: { batchGet: 1 },
  });
});

test('artists-list is read once for many requests', async () => {
  process.env.PUBLIC_CACHE_SECONDS = '60';
  const artist = { userType: 'artist', artistInfo: { isVerified: true } };
  await service.store.setAll(
    Array.from({ length: 300 }, (_, n) => [`users/artist-${n}`, artist] as const),
  );
  const world = { uid: 'alice', prefix: 'thing' };

  expect(await costOf('artists-list', world)).toMatchObject({ reads: 300, calls: { runQuery: 1 } });
  expect(await costOf('artists-list', world)).toEqual({
    reads: 0,
    writes: 0,
    deletes: 0,
    calls: {},
  });
});

/**
 * What endpoints cost, as billed by Firestore and as logged, and how many calls they make: two laws for all of them, and what is
 * true of single ones.
 */
import { logger } from 'firebase-functions/logger';
import { getEndpoint, endpoints } from '../../functions/service.ts';
import { type DeployedEndpoint, isWrite } from '@tattoo-marketplace/endpoints';
import { MAX_DOCUMENTS_PER_REQUEST } from '../../functions/src/limits.ts';
import { publicCacheSeconds } from '../../functions/src/parameters.ts';
import {
  exampleParts,
  exampleRequest,
  storeFixture,
  type ExampleFixture,
} from '../../demo/exampleRequests.ts';
import { createUniqueId } from '../support/firestore.ts';
import { useInProcessService } from '../support/inProcessService.ts';

/** How many documents an endpoint reads besides, each in a call of its own. */
const READ_BESIDES: Readonly<Record<string, number>> = {
  // The conversation says who may read its messages.
  'conversations-getMessages': 1,
};

/** The endpoints to which neither law applies. */
const EXCEPTIONS: readonly string[] = [
  // Reads a whole list: the last test of this file.
  'artists-list',
];

const service = useInProcessService();

/** The status of a request, and what it used. */
interface Cost {
  readonly status: number;
  readonly reads: number;
  /** The documents that were written or deleted. */
  readonly changed: number;
  readonly calls: Readonly<Record<string, number>>;
}

const NO_CALLS = { batchGet: 0, runQuery: 0, runAggregationQuery: 0, commit: 0 };
const NOTHING: Cost = { status: 200, reads: 0, changed: 0, calls: NO_CALLS };

/** Sends the example request of a function; returns its cost, and its response. */
async function ask(
  functionId: string,
  fixture: ExampleFixture,
  query: Readonly<Record<string, string>> = {},
) {
  const request = exampleRequest(functionId, fixture, service.createIdToken(fixture.uid), query);
  const before = await service.store.usage();
  const write = jest.spyOn(logger, 'write').mockReturnValue();
  const { status, text } = await service.send(functionId, request);
  const after = await service.store.usage();
  expect(write).toHaveBeenCalledTimes(1);
  const line: Readonly<Record<string, unknown>> | undefined = write.mock.lastCall?.[0];
  write.mockRestore();
  const calls = Object.entries({ ...NO_CALLS, ...after.calls }).map(
    ([name, count]) => [name, count - (before.calls[name] ?? 0)] as const,
  );
  const cost: Cost = {
    status,
    reads: after.reads - before.reads,
    changed: after.writes - before.writes,
    calls: Object.fromEntries(calls),
  };
  const { coalesceReads } = getEndpoint(functionId).endpoint.declaration;
  expect([line?.firestoreReads, line?.firestoreWrites]).toEqual([
    coalesceReads ? 0 : cost.reads,
    cost.changed,
  ]);
  return { cost, response: JSON.parse(text) as Readonly<Record<string, unknown>> };
}

async function costOf(...asked: Parameters<typeof ask>): Promise<Cost> {
  return (await ask(...asked)).cost;
}

/** A fixture with this many documents in a list. */
async function createFixture(size: number): Promise<ExampleFixture> {
  const fixture = { uid: createUniqueId('alice'), prefix: createUniqueId('thing'), size };
  await storeFixture(service.store, fixture);
  return fixture;
}

function isPaged({ endpoint }: DeployedEndpoint): boolean {
  return 'cursor' in (endpoint.declaration.query?.shape ?? {});
}

/** The endpoints to which a law applies. */
function endpointsOf(isIn: (deployed: DeployedEndpoint) => boolean) {
  return endpoints
    .filter((each) => isIn(each) && !EXCEPTIONS.includes(each.functionId))
    .map((each) => [each.functionId, READ_BESIDES[each.functionId] ?? 0] as const);
}

test.each(endpointsOf(isPaged))(
  'a page of %s reads its cursor, its elements with one of look-ahead, its count, and %i more',
  async (functionId, besides) => {
    const fixture = await createFixture(30);
    for (const limit of ['1', '10']) {
      const first = await ask(functionId, fixture, { limit });
      const file = functionId;
      const rule = `The example of ${file} lists the first document in demo/data`;
      expect({ [rule]: first.response.hasMore }).toEqual({ [rule]: true });
      const cursor = String(first.response.nextCursor);
      const later = await ask(functionId, fixture, { limit, cursor });

      const count = 'total' in first.response ? 1 : 0;
      const reads = besides + Number(limit) + 1 + count;
      const calls = { ...NO_CALLS, batchGet: besides, runQuery: 1, runAggregationQuery: count };
      expect({ limit, first: first.cost, later: later.cost }).toEqual({
        limit,
        first: { ...NOTHING, reads, calls },
        later: { ...NOTHING, reads: 1 + reads, calls: { ...calls, batchGet: 1 + besides } },
      });
    }
  },
);

/** The number of documents that the example request of a function names: at least the caller's own. */
function namedBy(functionId: string, fixture: ExampleFixture): number {
  const named = JSON.stringify(exampleParts(functionId, fixture)).match(/"thing-[^"]+"/g);
  return new Set(named).size || 1;
}

test.each(endpointsOf((each) => !isPaged(each)))(
  '%s reads each document that it names, unless it creates, and %i more, and writes those named if it is no GET',
  async (functionId, besides) => {
    const { declaration } = getEndpoint(functionId).endpoint;
    const most = namedBy(functionId, {
      uid: 'alice',
      prefix: 'thing',
      size: MAX_DOCUMENTS_PER_REQUEST,
    });
    for (const named of new Set([1, most])) {
      const fixture = await createFixture(named);

      const { cost, response } = await ask(functionId, fixture);

      const commit = isWrite(declaration) ? 1 : 0;
      const read = declaration.createsDocument ? 0 : 1;
      const calls = { ...NO_CALLS, batchGet: read + besides, commit };
      const expected = {
        ...NOTHING,
        reads: read * named + besides,
        changed: commit * named,
        calls,
      };
      // The response says why, if the example does not work on copies of the first document in demo/data.
      expect({ named, response, cost }).toEqual({ named, response, cost: expected });
    }
  },
);

const LIST = 'flash-listByArtist';

test('a list reads one document to refuse a cursor of another list', async () => {
  const [fixture, other] = [await createFixture(3), await createFixture(3)];

  const cost = await costOf(LIST, fixture, { cursor: `${other.prefix}-0` });
  expect(cost).toEqual({ ...NOTHING, status: 400, reads: 1, calls: { ...NO_CALLS, batchGet: 1 } });
});

test('a list costs the same at any depth, and one read more for each 1000 that are counted', async () => {
  const fixture = await createFixture(1100);

  expect((await costOf(LIST, fixture, { limit: '20' })).reads).toBe(20 + 1 + 2);
  for (const depth of [10, 1000]) {
    const query = { limit: '20', cursor: `${fixture.prefix}-${depth}` };
    expect((await costOf(LIST, fixture, query)).reads).toBe(20 + 1 + 1 + 2);
  }
});

test('a counter of notifications that is 0 is read, and not written', async () => {
  const fixture = await createFixture(1);
  await service.store.set(`users/${fixture.uid}`, { newNotificationsCount: 0 });

  const cost = await costOf('notifications-resetNewNotifications', fixture);
  expect(cost).toEqual({ ...NOTHING, reads: 1, calls: { ...NO_CALLS, batchGet: 1 } });
});

test('artists-list is read once for many requests', async () => {
  jest.spyOn(publicCacheSeconds, 'value').mockReturnValue(60);
  const artist = { userType: 'artist', artistInfo: { isVerified: true } };
  await service.store.setAll(
    Array.from({ length: 300 }, (_, n) => [`users/artist-${n}`, artist] as const),
  );
  const fixture = { uid: 'alice', prefix: 'thing' };
  const info = jest.spyOn(logger, 'info').mockImplementation();

  const { cost, response } = await ask('artists-list', fixture);

  // In a small part, and then one whose size is known. The callers of other tests are artists too.
  const calls = { ...NO_CALLS, runQuery: 2 };
  expect(cost).toEqual({ ...NOTHING, reads: response.length, calls });
  // A read for several requests has a line of its own, with the id of the request that started it.
  const requestId = expect.any(String) as string;
  expect(info.mock.lastCall?.[1]).toMatchObject({ requestId, firestoreReads: response.length });
  expect(await costOf('artists-list', fixture)).toEqual(NOTHING);
});

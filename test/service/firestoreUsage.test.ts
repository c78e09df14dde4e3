/**
 * Tests the number of documents that endpoints read and write, as billed by Firestore and as logged, and the number of their
 * calls: two invariants of all endpoints, and checks of individual endpoints.
 */
import { logger } from 'firebase-functions/logger';
import type { DeployedEndpoint } from '@tattoo-marketplace/endpoints';
import { isWrite } from '../../packages/endpoints/src/declaration/declaration.ts';
import {
  createExampleParts,
  createExampleRequest,
  storeFixture,
  type ExampleFixture,
} from '../support/requests/exampleRequests.ts';
import { endpoints, getEndpoint } from '../../functions/service.ts';
import { MAX_DOCUMENTS_PER_REQUEST } from '../../functions/src/bulkWrites.ts';
import { publicCacheSeconds } from '../../functions/src/parameters.ts';
import { MODELS } from '../contract/contract.ts';
import { expectEqual } from '../support/jest/expectEqual.ts';
import { createUniqueId } from '../support/requests/uniqueId.ts';
import { useInProcessService } from '../support/processes/inProcessService.ts';

const EXTRA_READS_HINT =
  'If the endpoint must read other documents, state their number as extraReads of its model, and of other documents that it writes as extraWrites, in test/contract/endpoints.';

/** Endpoints that read an entire list. The last test of this file covers them. */
const ENTIRE_LISTS: readonly string[] = ['artists-list'];

const service = useInProcessService();

/** The status of a request, and its usage of Firestore. */
interface RequestUsage {
  readonly status: number;
  readonly reads: number;
  /** The number of documents that were written or deleted. */
  readonly writes: number;
  readonly calls: Readonly<Record<string, number>>;
}

const NO_CALLS = { batchGet: 0, runQuery: 0, runAggregationQuery: 0, commit: 0 };
const NO_USAGE: RequestUsage = { status: 200, reads: 0, writes: 0, calls: NO_CALLS };

/** Sends the example request of a function. Returns its usage and its response. Expects that the log has the same usage. */
async function sendAndMeasure(
  functionId: string,
  fixture: ExampleFixture,
  query: Readonly<Record<string, string>> = {},
) {
  const request = createExampleRequest(
    functionId,
    fixture,
    service.createIdToken(fixture.uid),
    query,
  );
  const before = await service.store.readUsage();
  const write = jest.spyOn(logger, 'write').mockReturnValue();
  const { status, text } = await service.send(functionId, request);
  const after = await service.store.readUsage();
  expect(write).toHaveBeenCalledTimes(1);
  const line: Readonly<Record<string, unknown>> | undefined = write.mock.lastCall?.[0];
  write.mockRestore();
  const calls = Object.entries({ ...NO_CALLS, ...after.calls }).map(
    ([name, count]) => [name, count - (before.calls[name] ?? 0)] as const,
  );
  const usage: RequestUsage = {
    status,
    reads: after.reads - before.reads,
    writes: after.writes - before.writes,
    calls: Object.fromEntries(calls),
  };
  const { coalesceReads } = getEndpoint(functionId).endpoint.declaration;
  expect([line?.firestoreReads, line?.firestoreWrites]).toEqual([
    coalesceReads ? 0 : usage.reads,
    usage.writes,
  ]);
  return { usage, response: JSON.parse(text) as Readonly<Record<string, unknown>> };
}

/** Stores a fixture with this many documents in each collection. */
async function createFixture(size: number): Promise<ExampleFixture> {
  const fixture = { uid: createUniqueId('alice'), prefix: createUniqueId('thing'), size };
  await storeFixture(service.store, fixture);
  return fixture;
}

function isPaged({ endpoint }: DeployedEndpoint): boolean {
  return 'cursor' in (endpoint.declaration.query?.shape ?? {});
}

const rows = endpoints
  .filter(({ functionId }) => !ENTIRE_LISTS.includes(functionId))
  .map((deployed) => ({
    functionId: deployed.functionId,
    extraReads: MODELS.get(deployed.functionId)?.extraReads ?? 0,
    extraWrites: MODELS.get(deployed.functionId)?.extraWrites ?? 0,
    isPage: isPaged(deployed),
  }));

test.each(rows.filter(({ isPage }) => isPage))(
  'a page of $functionId reads its cursor, its items and one more, its count, and $extraReads further documents',
  async ({ functionId, extraReads }) => {
    const fixture = await createFixture(30);
    for (const limit of ['1', '10']) {
      const first = await sendAndMeasure(functionId, fixture, { limit });
      const rule = `The example of ${functionId} lists the first document in demo/data`;
      expectEqual(rule, first.response.hasMore, true);
      const cursor = String(first.response.nextCursor);
      const later = await sendAndMeasure(functionId, fixture, { limit, cursor });

      const counts = 'total' in first.response ? 1 : 0;
      const reads = extraReads + Number(limit) + 1 + counts;
      const calls = {
        ...NO_CALLS,
        batchGet: extraReads,
        runQuery: 1,
        runAggregationQuery: counts,
      };
      expect({ hint: EXTRA_READS_HINT, limit, first: first.usage, later: later.usage }).toEqual({
        hint: EXTRA_READS_HINT,
        limit,
        first: { ...NO_USAGE, reads, calls },
        later: { ...NO_USAGE, reads: 1 + reads, calls: { ...calls, batchGet: 1 + extraReads } },
      });
    }
  },
);

/** Counts the documents that the example request of a function names: at least the caller's own. */
function countNamedDocuments(functionId: string, size: number): number {
  const parts = createExampleParts(functionId, { uid: 'alice', prefix: 'thing', size });
  return new Set(JSON.stringify(parts).match(/"thing-[^"]+"/g)).size || 1;
}

test.each(rows.filter(({ isPage }) => !isPage))(
  '$functionId reads each named document once (none if it creates) and $extraReads further ones, and writes the named ones and $extraWrites further ones unless it is a GET',
  async ({ functionId, extraReads, extraWrites }) => {
    const { declaration } = getEndpoint(functionId).endpoint;
    for (const size of new Set([1, countNamedDocuments(functionId, MAX_DOCUMENTS_PER_REQUEST)])) {
      const fixture = await createFixture(size);

      const { usage, response } = await sendAndMeasure(functionId, fixture);

      const commits = isWrite(declaration) ? 1 : 0;
      const namedReads = declaration.createsDocument ? 0 : 1;
      const expected: RequestUsage = {
        status: 200,
        reads: namedReads * size + extraReads,
        writes: commits * (size + extraWrites),
        calls: { ...NO_CALLS, batchGet: namedReads + extraReads, commit: commits },
      };
      // The response says why, if the example does not work on copies of the first document in demo/data.
      expect({ hint: EXTRA_READS_HINT, size, response, usage }).toEqual({
        hint: EXTRA_READS_HINT,
        size,
        response,
        usage: expected,
      });
    }
  },
);

const LIST = 'flash-listByArtist';

test('a list reads one document to reject a cursor of another list', async () => {
  const [alice, bob] = [await createFixture(3), await createFixture(3)];

  const { usage } = await sendAndMeasure(LIST, alice, { cursor: `${bob.prefix}-0` });
  expect(usage).toEqual({
    ...NO_USAGE,
    status: 400,
    reads: 1,
    calls: { ...NO_CALLS, batchGet: 1 },
  });
});

test('a page reads the same number of documents at any depth, and one more for each 1000 that are counted', async () => {
  const fixture = await createFixture(1100);

  const first = await sendAndMeasure(LIST, fixture, { limit: '20' });
  expect(first.usage.reads).toBe(20 + 1 + 2);
  for (const depth of [10, 1000]) {
    const cursor = `${fixture.prefix}-${depth}`;
    const { usage } = await sendAndMeasure(LIST, fixture, { limit: '20', cursor });
    expect(usage.reads).toBe(20 + 1 + 1 + 2);
  }
});

test('a notification counter of 0 is read and not written', async () => {
  const fixture = await createFixture(1);
  await service.store.set(`users/${fixture.uid}`, { newNotificationsCount: 0 });

  const { usage } = await sendAndMeasure('notifications-resetNewNotifications', fixture);
  expect(usage).toEqual({ ...NO_USAGE, reads: 1, calls: { ...NO_CALLS, batchGet: 1 } });
});

test('many requests for artists-list share one read', async () => {
  jest.spyOn(publicCacheSeconds, 'value').mockReturnValue(60);
  const artist = { userType: 'artist', artistInfo: { isVerified: true } };
  await service.store.setAll(
    Array.from({ length: 300 }, (_, n) => [`users/artist-${n}`, artist] as const),
  );
  const fixture = { uid: 'alice', prefix: 'thing' };
  const info = jest.spyOn(logger, 'info').mockImplementation();

  const { usage, response } = await sendAndMeasure('artists-list', fixture);

  // The first query is small. The second one has the size that is known then. The fixtures of other tests have artists, too.
  const calls = { ...NO_CALLS, runQuery: 2 };
  expect(usage).toEqual({ ...NO_USAGE, reads: response.length, calls });
  // A shared read has a log line of its own, with the id of the request that started it.
  const requestId = expect.any(String) as string;
  expect(info.mock.lastCall?.[1]).toMatchObject({ requestId, firestoreReads: response.length });
  expect((await sendAndMeasure('artists-list', fixture)).usage).toEqual(NO_USAGE);
});

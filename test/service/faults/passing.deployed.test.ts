/**
 * Transient faults between the service and Google, which the client must not notice. Like in production, functions run
 * as separate processes and speak REST and TLS. The deadline leaves time for any number of retries.
 */
import { deployedService } from '../../support/deployedService.ts';
import { ALL, PERHAPS_WITH_EFFECT, WITHOUT_EFFECT, worldsOf, WRITING } from './worlds.ts';

const service = deployedService({ DEADLINE_SECONDS: '30' });
const { fault, fresh, freshForEach, stored, storedAfter } = worldsOf(service);

beforeAll(async () => {
  await Promise.all(ALL.map(storedAfter));
});

afterEach(() => service.google.heal());

test.each(
  [...WITHOUT_EFFECT, ...PERHAPS_WITH_EFFECT].filter(([, { kind }]) => !/hang|refused/.test(kind)),
)('every endpoint returns 200 and does its work exactly once after %s', async (_what, what) => {
  for (const functionId of ALL) {
    const world = await fresh();
    const calls = WRITING.includes(functionId)
      ? ['batchGet', 'commit']
      : ['runQuery', 'batchGet', 'runAggregationQuery'];
    for (const call of calls) fault({ ...what, call, times: 1 });

    expect([functionId, (await service.send(functionId, world)).status]).toEqual([functionId, 200]);
    await service.google.heal();

    expect(await stored(world)).toEqual(await storedAfter(functionId));
  }
});

test('a hanging connection is replaced', async () => {
  const worlds = await freshForEach(ALL);
  for (const call of ['batchGet', 'runQuery', 'runAggregationQuery', 'commit']) {
    fault({ call, kind: 'hang', times: 2 });
  }

  const responses = await Promise.all(
    worlds.map(({ functionId, world }) => service.send(functionId, world)),
  );

  expect(responses.map(({ status }) => status)).toEqual(ALL.map(() => 200));
});

test.each(WRITING)(
  'a commit of %s is not repeated if only its response is lost',
  async (functionId) => {
    const world = await fresh();
    const expected = await storedAfter(functionId);
    const commits = () => service.google.requestCounts.get('firestore.googleapis.com commit') ?? 0;
    const before = commits();
    fault({ call: 'commit', kind: 'reset after effect', times: 1 });

    expect((await service.send(functionId, world)).status).toBe(200);

    expect(await stored(world)).toEqual(expected);
    expect(commits()).toBe(before + 1);
  },
);

test('expired access tokens are replaced without an error', async () => {
  const worlds = await freshForEach(ALL);
  service.google.expireAccessTokens();

  const responses = await Promise.all(
    worlds.map(({ functionId, world }) => service.send(functionId, world)),
  );

  expect(responses.map(({ status }) => status)).toEqual(ALL.map(() => 200));
});

test.each([
  ['a bad request', 400],
  ['no permission', 403],
  ['no such database', 404],
])('%s from Firestore leads to 500 without details', async (_what, status) => {
  const worlds = await freshForEach(ALL);
  fault({ kind: 'status', status });

  const responses = await Promise.all(
    worlds.map(({ functionId, world }) => service.send(functionId, world)),
  );

  expect(responses.map((response) => response.status)).toEqual(ALL.map(() => 500));
  for (const { text } of responses) expect(text).not.toMatch(/firestore|database|project|google/i);
});

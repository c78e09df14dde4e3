/**
 * Transient faults between the service and Google, which the client must not notice. Like in production, functions run
 * as separate processes and speak REST and TLS. The deadline leaves time for any number of retries.
 */
import { ALL, PERHAPS_WITH_EFFECT, WITHOUT_EFFECT, worldsWith, WRITING } from './worlds.ts';

const { service, ask, fault, fresh, freshForEach, stored, storedAfter } = worldsWith({
  DEADLINE_SECONDS: '30',
});

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

    expect([functionId, (await ask(functionId, world)).status]).toEqual([functionId, 200]);
    await service.google.heal();

    expect(await stored(world)).toEqual(await storedAfter(functionId));
  }
});

test('a hanging connection is replaced', async () => {
  const worlds = await freshForEach(ALL);
  for (const call of ['batchGet', 'runQuery', 'runAggregationQuery', 'commit']) {
    fault({ call, kind: 'hang', times: 2 });
  }

  const answers = await Promise.all(worlds.map(({ functionId, world }) => ask(functionId, world)));

  expect(answers.map(({ status }) => status)).toEqual(ALL.map(() => 200));
});

test.each(WRITING)(
  'a commit of %s is not repeated if only its response is lost',
  async (functionId) => {
    const world = await fresh();
    const expected = await storedAfter(functionId);
    const asked = () => service.google.requestCounts.get('firestore.googleapis.com commit') ?? 0;
    const before = asked();
    fault({ call: 'commit', kind: 'reset after effect', times: 1 });

    expect((await ask(functionId, world)).status).toBe(200);

    expect(await stored(world)).toEqual(expected);
    expect(asked()).toBe(before + 1);
  },
);

test('expired access tokens are replaced without an error', async () => {
  const worlds = await freshForEach(ALL);
  service.google.expireAccessTokens();

  const answers = await Promise.all(worlds.map(({ functionId, world }) => ask(functionId, world)));

  expect(answers.map(({ status }) => status)).toEqual(ALL.map(() => 200));
});

test.each([
  ['a bad request', 400],
  ['no permission', 403],
  ['no such database', 404],
])('%s from Firestore leads to 500 without details', async (_what, status) => {
  const worlds = await freshForEach(ALL);
  fault({ kind: 'status', status });

  const answers = await Promise.all(worlds.map(({ functionId, world }) => ask(functionId, world)));

  expect(answers.map((answer) => answer.status)).toEqual(ALL.map(() => 500));
  for (const { text } of answers) expect(text).not.toMatch(/firestore|database|project|google/i);
});

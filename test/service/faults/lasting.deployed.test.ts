/**
 * Lasting faults between the service and Google, as the client sees them. Like in production, functions run as separate
 * processes and speak REST and TLS. Requests end at the deadline, which is short here.
 */
import {
  ALL,
  deletes,
  PERHAPS_WITH_EFFECT,
  WITHOUT_EFFECT,
  worldsWith,
  WRITING,
  type World,
} from './worlds.ts';

const { service, ask, fault, freshForEach, serve, stored, storedAfter } = worldsWith({
  DEADLINE_SECONDS: '1',
});

beforeAll(async () => {
  // Fetches Google's keys and the access tokens, so that the faults affect only Firestore.
  await Promise.all(ALL.map(storedAfter));
});

afterEach(async () => {
  await service.google.heal();
  await service.google.release();
});

/** Whether a 503 says that nothing was done, or that nobody knows. */
type Code = 'unavailable' | 'outcome-unknown';

async function expectUnavailable(functionId: string, world: World, code?: Code): Promise<void> {
  const answer = await ask(functionId, world);

  expect([functionId, answer.status]).toEqual([functionId, 503]);
  expect(JSON.parse(answer.text)).toEqual({ message: expect.any(String) as string });
  expect(answer.headers['retry-after']).toMatch(/^\d+$/);
  expect(['unavailable', 'outcome-unknown']).toContain(answer.headers['x-error-code']);
  if (code !== undefined) expect(answer.headers['x-error-code']).toBe(code);
}

async function expectAllUnavailable(
  worlds: Awaited<ReturnType<typeof freshForEach>>,
  code?: Code,
): Promise<void> {
  await Promise.all(
    worlds.map(({ functionId, world }) => expectUnavailable(functionId, world, code)),
  );
}

async function expectAllServed(worlds: Awaited<ReturnType<typeof freshForEach>>): Promise<void> {
  await Promise.all(
    worlds.map(async ({ functionId, world }) => {
      expect([functionId, await serve(functionId, world)]).toEqual([functionId, 200]);
    }),
  );
}

describe('a lasting fault', () => {
  test.each(WITHOUT_EFFECT)(
    'makes every endpoint return 503 and change nothing until it ends: %s',
    async (_what, what) => {
      const worlds = await freshForEach(ALL);
      const before = await Promise.all(worlds.map(({ world }) => stored(world)));
      fault(what);

      await expectAllUnavailable(worlds);
      expect(await Promise.all(worlds.map(({ world }) => stored(world)))).toEqual(before);
      await service.google.heal();

      await Promise.all(
        worlds.map(async ({ functionId, world }) => {
          expect([functionId, await serve(functionId, world)]).toEqual([functionId, 200]);
          expect(await stored(world)).toEqual(await storedAfter(functionId));
        }),
      );
    },
  );

  test.each(PERHAPS_WITH_EFFECT)(
    'never leads to a partial response, and needs no restart afterwards: %s',
    async (_what, what) => {
      const worlds = await freshForEach(ALL);
      for (const call of ['runQuery', 'batchGet', 'runAggregationQuery']) fault({ ...what, call });

      await expectAllUnavailable(worlds);
      await service.google.heal();

      await expectAllServed(worlds);
    },
  );
});

describe('a commit', () => {
  test('without a response is found to be done, or may be sent again by the client', async () => {
    const worlds = await freshForEach(WRITING);
    fault({ call: 'commit', kind: 'hang after effect' });

    await Promise.all(
      worlds.map(async ({ functionId, world }) => {
        const { status, headers } = await ask(functionId, world);
        // On a slow machine there may be no time left to read again.
        const outcome = status === 200 ? 'done' : headers['x-error-code'];
        expect(['done', 'outcome-unknown']).toContain(outcome);
        expect(await stored(world)).toEqual(await storedAfter(functionId));
      }),
    );
    await service.google.heal();

    for (const { functionId, world } of worlds) {
      const expected = deletes(functionId) ? [404, 200] : [200];
      expect(expected).toContain(await serve(functionId, world));
      expect(await stored(world)).toEqual(await storedAfter(functionId));
    }
  });

  test('that arrives late does not overwrite newer writes, and is not retried', async () => {
    const worlds = await freshForEach(WRITING);
    fault({ call: 'commit', kind: 'delayed' });
    await expectAllUnavailable(worlds, 'outcome-unknown');
    const sent = service.google.requests.length;
    await service.google.heal();

    await Promise.all(worlds.map(({ world }) => touch(world)));
    const newer = await Promise.all(worlds.map(({ world }) => stored(world)));
    await service.google.release();

    expect(await Promise.all(worlds.map(({ world }) => stored(world)))).toEqual(newer);
    expect(service.google.requests.slice(sent)).toEqual([]);
  });
});

/** Updates each document of a world, like another writer. */
async function touch({ uid, prefix }: World): Promise<void> {
  const paths: string[] = [];
  for (const name of ['flash', 'gallery', 'availability', 'unavailableEvents', 'bookings']) {
    for (const index of [0, 1, 2]) paths.push(`${name}/${prefix}-${index}`);
  }
  await Promise.all(paths.map((path) => service.store.update(path, { touched: true })));
  await service.store.update(`users/${uid}`, { newNotificationsCount: 7 });
}

test.each([
  ['cannot be reached', { kind: 'refused' }],
  ['does not respond', { kind: 'hang' }],
  ['fails', { kind: 'status', status: 500 }],
] as const)(
  'returns 503 while the metadata server %s and tokens are expired, and recovers by itself',
  async (_what, what) => {
    const worlds = await freshForEach(ALL);
    service.google.expireAccessTokens();
    service.google.fault({ host: 'metadata', ...what });

    await expectAllUnavailable(worlds);
    await service.google.heal();

    await expectAllServed(worlds);
  },
);

import { logger } from 'firebase-functions/logger';
import { sharedFetch, type Fetched } from '../../functions/src/platform/sharedFetch.ts';

jest.useFakeTimers();

beforeEach(() => {
  jest.spyOn(logger, 'error').mockImplementation();
});

/** A shared value whose fetches end when the test says so. */
function shared() {
  const fetches: { end: PromiseWithResolvers<Fetched<string>>; signal: AbortSignal }[] = [];
  const value = sharedFetch('The value', (signal) => {
    const end = Promise.withResolvers<Fetched<string>>();
    fetches.push({ end, signal });
    return end.promise;
  });
  return {
    fetches,
    /** The value, or the code of the error. */
    ask: async () => value().catch((error: unknown) => (error as { code: string }).code),
    succeed: async (fetch: number, lifetimeMs = 60_000) => {
      fetches[fetch]?.end.resolve({ value: `value ${fetch}`, lifetimeMs });
      await pass(0);
    },
    fail: async (fetch: number) => {
      fetches[fetch]?.end.reject(new Error('No route to Google.'));
      await pass(0);
    },
  };
}

async function pass(ms: number): Promise<void> {
  await jest.advanceTimersByTimeAsync(ms);
}

test.each([0, -3_600_000, 3_600_000])(
  'fetches once for concurrent callers, and again when the value has expired, also if the clock is set by %d ms',
  async (ms) => {
    const { ask, fetches, succeed } = shared();

    const first = [ask(), ask(), ask()];
    await pass(400);
    await succeed(0);
    expect(await Promise.all(first)).toEqual(['value 0', 'value 0', 'value 0']);
    expect(jest.getTimerCount()).toBe(0);
    jest.setSystemTime(Date.now() + ms);
    await pass(59_599);
    expect(await ask()).toBe('value 0');
    expect(fetches).toHaveLength(1);
    await pass(1);
    const later = [ask(), ask()];
    await succeed(1);

    expect(await Promise.all(later)).toEqual(['value 1', 'value 1']);
    expect(fetches).toHaveLength(2);
  },
);

test('fails with the caller that started the fetch; one who joined later gets the next', async () => {
  const { ask, fetches, fail, succeed } = shared();

  const starter = ask();
  await pass(400);
  const joined = [ask(), ask()];
  await fail(0);
  expect(await starter).toBe('unavailable');
  await pass(599);
  expect(fetches).toHaveLength(1);
  await pass(1);
  await succeed(1);

  expect(await Promise.all(joined)).toEqual(['value 1', 'value 1']);
  expect(fetches).toHaveLength(2);
});

test('starts and logs one fetch a second at most while they fail, however many ask', async () => {
  const { ask, fetches, fail } = shared();
  const answers: Promise<string>[] = [];
  for (let ms = 0; ms < 10_000; ms += 50) {
    answers.push(ask());
    await pass(30);
    await fail(fetches.length - 1);
    await pass(20);
  }
  await pass(1_000);
  await fail(fetches.length - 1);

  expect(new Set(await Promise.all(answers))).toEqual(new Set(['unavailable']));
  expect(fetches.length).toBeLessThanOrEqual(11);
  expect(logger.error).toHaveBeenCalledTimes(fetches.length);
  expect(logger.error).toHaveBeenCalledWith('The value could not be fetched.', {
    reason: 'Error: No route to Google.',
  });
});

test('aborts a fetch that hangs after 5 s, and the next caller starts another at once', async () => {
  const { ask, fetches, succeed } = shared();

  const hung = ask();
  await pass(4_999);
  expect(fetches[0]?.signal.aborted).toBe(false);
  await pass(1);
  expect(fetches[0]?.signal.aborted).toBe(true);
  const next = ask();
  await succeed(1);

  expect([await hung, await next]).toEqual(['unavailable', 'value 1']);
});

import { logger } from 'firebase-functions/logger';
import { cachedBody } from '../../functions/src/http/responseCache.ts';
import { unavailable } from '../../functions/src/platform/errors.ts';
import { currentContext, RequestContext } from '../../functions/src/platform/requestContext.ts';

let name = 0;
/** A cache key that no other test uses. */
let key = '';

beforeEach(() => {
  name += 1;
  key = `GET /list-${name}?[]`;
  process.env.DEADLINE_SECONDS = '10';
  jest.useFakeTimers();
  jest.spyOn(logger, 'info').mockImplementation();
  jest.spyOn(logger, 'warn').mockImplementation();
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** A cached list and its reads, each of which ends when the test says so. */
function source(cacheSeconds = 60, at = key) {
  const reads: PromiseWithResolvers<string>[] = [];
  const signals: AbortSignal[] = [];

  async function read() {
    const { usage, signal } = currentContext();
    usage.reads += 7;
    signals.push(signal);
    const reading = Promise.withResolvers<string>();
    reads.push(reading);
    return { identity: Buffer.from(await reading.promise) };
  }

  return {
    reads,
    signals,
    /** Requests the list; returns its text and the usage counted for the request. */
    request: async (limitSeconds = 10) => {
      const context = new RequestContext();
      const body = await context.run(limitSeconds * 1000, () =>
        cachedBody(at, cacheSeconds * 1000, read),
      );
      return { text: body.identity.toString(), tag: body.tag, ...context.usage };
    },
    /** Ends the read with this number successfully. */
    succeed: async (reading: number, text: string) => {
      reads[reading]?.resolve(text);
      await settled();
    },
  };
}

/** Runs all pending microtasks and timers that are due. */
async function settled(): Promise<void> {
  await jest.advanceTimersByTimeAsync(0);
}

async function pass(seconds: number): Promise<void> {
  await jest.advanceTimersByTimeAsync(seconds * 1000);
  await settled();
}

test('is read once for any number of waiting requests', async () => {
  const { request, succeed, reads } = source();

  const pending = Array.from({ length: 50 }, () => request());
  await succeed(0, 'a');
  const responses = await Promise.all(pending);

  expect(reads).toHaveLength(1);
  expect(new Set(responses.map(({ text }) => text))).toEqual(new Set(['a']));
});

test('is read again before it expires by the request that finds it due, and by no other', async () => {
  const { request, succeed, reads } = source();
  const first = request();
  await succeed(0, 'old');
  const { readAt } = await first;

  await pass(44);
  expect(await request()).toMatchObject({ text: 'old', readAt });
  expect(reads).toHaveLength(1);
  await pass(2);
  const due = request();
  expect(await request()).toMatchObject({ text: 'old', readAt });
  expect(reads).toHaveLength(2);
  await succeed(1, 'new');

  expect(await due).toMatchObject({ text: 'new', readAt: readAt + 46_000 });
  expect(await request()).toMatchObject({ text: 'new', readAt: readAt + 46_000 });
});

test('is never older than its lifetime, which begins with the start of the read', async () => {
  const { request, succeed, reads } = source(5);
  const first = request();
  await pass(3);
  await succeed(0, 'old');
  await first;

  await pass(1.9);
  const due = request();
  await pass(0.1);
  expect((await due).text).toBe('old');
  const late = request();
  await succeed(1, 'new');

  expect((await late).text).toBe('new');
  expect(reads).toHaveLength(2);
});

test('is read again when it has expired', async () => {
  const { request, succeed } = source();
  const first = request();
  await succeed(0, 'old');
  await first;

  await pass(60);
  const late = request();
  await succeed(1, 'new');

  expect((await late).text).toBe('new');
});

test('is read again for a request that joined a read whose data is too old when it ends', async () => {
  const { request, succeed, reads } = source(5);
  const first = request();
  await pass(4);
  const joined = request();
  await pass(2);
  await succeed(0, 'old');

  // For the first caller, the data is as fresh as possible.
  expect((await first).text).toBe('old');
  expect(reads).toHaveLength(2);
  await succeed(1, 'new');
  expect((await joined).text).toBe('new');
});

test('is shared with a request that joined its read in time', async () => {
  const { request, succeed, reads } = source(5);
  const first = request();
  await pass(2);
  const joined = request();
  await pass(2);
  await succeed(0, 'a');

  const responses = await Promise.all([first, joined]);

  expect(responses.map(({ text }) => text)).toEqual(['a', 'a']);
  expect(responses[1].readAt).toBe(responses[0].readAt);
  expect(reads).toHaveLength(1);
});

test('waits for the refresh in progress if it expires meanwhile', async () => {
  const { request, succeed, reads } = source();
  const first = request();
  await succeed(0, 'old');
  await first;
  await pass(55);
  const due = request();
  await pass(5);

  const late = Promise.all([request(), request()]);
  expect((await due).text).toBe('old');
  await succeed(1, 'new');

  expect((await late).map(({ text }) => text)).toEqual(['new', 'new']);
  expect(reads).toHaveLength(2);
});

test('stays cached when reading it again fails, which is tried again after a pause that doubles', async () => {
  const { request, succeed, reads } = source();
  const first = request();
  await succeed(0, 'old');
  await first;
  await pass(46);

  const tried: number[] = [];
  for (let second = 0; second < 8; second += 1) {
    const pending = request();
    await settled();
    if (reads.length > tried.length + 1) tried.push(second);
    reads.at(-1)?.reject(new Error('secret: flash/abc'));
    expect((await pending).text).toBe('old');
    await pass(1);
  }

  expect(tried).toEqual([0, 1, 3, 7]);
  expect(jest.mocked(logger.warn).mock.calls).toEqual(
    tried.map(() => [
      'A cached response could not be refreshed.',
      { response: `GET /list-${name}`, code: 'internal' },
    ]),
  );
});

test('fails for every waiting request if it cannot be read, and is read again for the next one', async () => {
  const { request, succeed, reads } = source();

  const pending = Promise.allSettled([request(), request()]);
  reads[0]?.reject(new Error('Firestore is away.'));

  expect((await pending).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const again = request();
  await succeed(1, 'a');
  expect((await again).text).toBe('a');
});

test('a read that hangs ends at its deadline; a request with time left reads again', async () => {
  const { request, succeed, signals } = source();

  const early = Promise.allSettled([request(), request()]);
  await pass(4);
  const late = request();
  await pass(6);
  await pass(0.001);
  expect(await early).toMatchObject([
    { status: 'rejected', reason: { code: 'unavailable' } },
    { status: 'rejected', reason: { code: 'unavailable' } },
  ]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  await succeed(1, 'a');

  expect((await late).text).toBe('a');
});

test('of requests that joined a read that failed for want of time, one reads again for all', async () => {
  const { request, reads, succeed } = source();
  const first = request();
  const joined = [request(), request()];
  first.catch(() => undefined);

  reads[0]?.reject(unavailable('why'));
  await settled();
  await succeed(1, 'a');

  await expect(first).rejects.toMatchObject({ code: 'unavailable' });
  expect((await Promise.all(joined)).map(({ text }) => text)).toEqual(['a', 'a']);
  expect(reads).toHaveLength(2);
});

test('a read that hangs while the response is due does not make the request fail', async () => {
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  const { request, succeed, reads, signals } = source();
  const first = request();
  await succeed(0, 'old');
  await first;

  await pass(46);
  const due = request();
  await pass(9);
  expect((await due).text).toBe('old');
  await pass(1);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
  jest.useRealTimers();
  await new Promise(setImmediate);
  process.off('unhandledRejection', unhandled);

  expect(reads).toHaveLength(2);
  expect(unhandled).not.toHaveBeenCalled();
});

test('a shared read continues for the other requests when the request that started it has no time left', async () => {
  const { request, succeed, signals } = source();
  const first = request(1);
  first.catch(() => undefined);
  const second = request();

  await pass(2);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await succeed(0, 'a');

  await expect(first).rejects.toMatchObject({ code: 'unavailable' });
  expect((await second).text).toBe('a');
});

test('is not billed to a request: its reads have their own log line', async () => {
  const { request, succeed } = source();
  const pending = request();
  await succeed(0, 'a');

  expect((await pending).reads).toBe(0);
  expect(logger.info).toHaveBeenCalledWith(`GET /list-${name} was read`, {
    firestoreReads: 7,
    ms: 0,
  });
});

test('evicts the oldest entries beyond 64 MiB in total', async () => {
  const lists = Array.from({ length: 9 }, (_, index) => source(60, `${key}${index}`));
  jest.useRealTimers();
  for (const { request, reads } of lists) {
    const pending = request();
    reads[0]?.resolve('x'.repeat(8 * 1024 * 1024));
    await pending;
  }

  const again = lists.map(({ request, reads }) => {
    const pending = request();
    reads[1]?.resolve('');
    return pending;
  });
  await Promise.all(again);

  expect(lists.map(({ reads }) => reads.length)).toEqual([2, 2, 1, 1, 1, 1, 1, 1, 1]);
});

test.each([
  ['compressed copies', 8, '', 'x'.repeat(8 * 1024 * 1024 - 9_000)],
  ['keys', 7, 'k'.repeat(5 * 1024 * 1024), 'x'],
])('counts the %s of entries as well', async (_what, number, longKey, text) => {
  const lists = Array.from({ length: number }, (_, index) =>
    source(60, `${key}${longKey}${index}`),
  );
  jest.useRealTimers();
  for (const { request, reads } of lists) {
    const pending = request();
    reads[0]?.resolve(text);
    await pending;
  }

  const [oldest] = lists;
  const pending = oldest?.request();
  oldest?.reads[1]?.resolve('');
  await pending;

  expect(oldest?.reads).toHaveLength(2);
});

test('evicts the oldest of very many small entries, whose overhead counts as well', async () => {
  const lists = Array.from({ length: 9_000 }, (_, index) => source(60, `${key}${index}`));
  jest.useRealTimers();
  for (const { request, reads } of lists) {
    const pending = request();
    reads[0]?.resolve('x');
    await pending;
  }

  const [first, last] = [lists[0], lists.at(-1)].map((list) => {
    const pending = list?.request();
    list?.reads[1]?.resolve('');
    return { pending, reads: list?.reads.length };
  });
  await Promise.all([first?.pending, last?.pending]);

  expect([first?.reads, last?.reads]).toEqual([2, 1]);
});

import { logger } from 'firebase-functions/logger';
import { cachedBody } from '../../functions/src/http/responseCache.ts';
import { unavailable } from '../../functions/src/errors.ts';
import { currentContext, RequestContext } from '../../functions/src/platform/requestContext.ts';

let name = 0;
/** A cache key that no other test uses. */
let key = '';

beforeEach(() => {
  name += 1;
  key = `GET /list-${name}?[]`;
  jest.useFakeTimers();
  jest.spyOn(logger, 'info').mockImplementation();
  jest.spyOn(logger, 'warn').mockImplementation();
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
    const bytes = Buffer.from(await reading.promise);
    return { bytes, isCompressed: true, size: bytes.length };
  }

  return {
    reads,
    signals,
    /** Requests the list; returns its text and the usage counted for the request. */
    request: async (limitSeconds = 10) => {
      const context = new RequestContext();
      const body = await context.run(limitSeconds * 1000, () =>
        cachedBody({ key: at, cacheMs: cacheSeconds * 1000, limitMs: 10_000, read }),
      );
      return { text: body.bytes.toString(), bytes: body.bytes, ...context.usage };
    },
    /** Ends the read with this number successfully. */
    succeed: async (reading: number, text: string) => {
      reads[reading]?.resolve(text);
      await settled();
    },
  };
}

/** A list that has been read once. */
async function cachedSource(cacheSeconds?: number) {
  const list = source(cacheSeconds);
  const first = list.request();
  await list.succeed(0, 'old');
  return { ...list, first: await first };
}

/** Runs all pending microtasks and timers that are due. */
async function settled(): Promise<void> {
  await jest.advanceTimersByTimeAsync(0);
}

async function pass(seconds: number): Promise<void> {
  await jest.advanceTimersByTimeAsync(seconds * 1000);
  await settled();
}

const REFRESH_FAILED = 'A cached response could not be refreshed.';
const refreshFailure = (code: string) => ({ response: `GET /list-${name}`, code });

test('is read once for any number of waiting requests, and billed to a log line of its own', async () => {
  const { request, succeed, reads } = source();

  const pending = Array.from({ length: 50 }, () => request());
  await succeed(0, 'a');
  const responses = await Promise.all(pending);

  expect(reads).toHaveLength(1);
  expect(responses).toMatchObject(pending.map(() => ({ text: 'a', reads: 0 })));
  expect(jest.mocked(logger.info).mock.calls).toEqual([
    [`GET /list-${name} was read`, { firestoreReads: 7, ms: 0 }],
  ]);
});

test('is read again before it expires by the request that finds it due, and by no other', async () => {
  const { request, succeed, reads, first } = await cachedSource();
  const { readAt } = first;

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

test.each([
  ['is shared with whoever joined it, while its data is not too old', 4, 1],
  ['is repeated for whoever joined it, once its data is too old', 6, 2],
])('a read that %s: it takes %i s', async (_what, seconds, number) => {
  const { request, succeed, reads } = source(5);
  const first = request();
  await pass(1);
  const joined = Promise.all([request(), request()]);
  await pass(seconds - 1);
  await succeed(0, 'old');

  // For the first caller, the data is as fresh as possible.
  expect((await first).text).toBe('old');
  expect(reads).toHaveLength(number);
  if (number === 2) await succeed(1, 'new');
  const expected = number === 2 ? 'new' : 'old';
  expect((await joined).map(({ text }) => text)).toEqual([expected, expected]);
  expect(reads).toHaveLength(number);
});

test('stays cached when reading it again fails, which is tried again after a pause that doubles', async () => {
  const { request, reads } = await cachedSource();
  await pass(46);

  const tried: number[] = [];
  for (let second = 0; second < 8; second += 1) {
    const pending = request();
    await settled();
    if (reads.length > tried.length + 1) tried.push(second);
    reads.at(-1)?.reject(second === 0 ? unavailable('secret') : new Error('secret: flash/abc'));
    expect((await pending).text).toBe('old');
    await pass(1);
  }

  expect(tried).toEqual([0, 1, 3, 7]);
  expect(jest.mocked(logger.warn).mock.calls).toEqual(
    tried.map((second) => [
      REFRESH_FAILED,
      refreshFailure(second === 0 ? 'unavailable' : 'internal'),
    ]),
  );
});

test('a read that hangs ends at its deadline; a request with time left reads again', async () => {
  const { request, succeed, signals } = source();

  const early = Promise.allSettled([request(), request()]);
  await pass(4);
  const late = request();
  await pass(6);
  await pass(0.001);
  const reason = { code: 'unavailable' };
  expect(await early).toMatchObject([{ reason }, { reason }]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  await succeed(1, 'a');

  expect((await late).text).toBe('a');
});

test('a read that hangs while the response is due does not make the request fail', async () => {
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  const { request, reads, signals } = await cachedSource();

  await pass(46);
  const due = request();
  await pass(9);
  expect((await due).text).toBe('old');
  expect(logger.warn).toHaveBeenCalledWith(REFRESH_FAILED, refreshFailure('unavailable'));
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

/** Reads lists one after the other, then the last and the first again; returns how often these two were read. */
async function readsOf(number: number, text: string, longKey: string): Promise<number[]> {
  const lists = Array.from({ length: number }, (_, index) =>
    source(60, `${key}${longKey}${index}`),
  );
  jest.useRealTimers();
  const ends = [...lists.slice(-1), ...lists.slice(0, 1)];
  for (const { request, reads } of [...lists, ...ends]) {
    const pending = request();
    reads.at(-1)?.resolve(text);
    await pending;
  }
  return ends.map(({ reads }) => reads.length);
}

test.each([
  ['content', 6, 'x'.repeat(6 * 1024 * 1024), ''],
  ['keys', 7, 'x', 'k'.repeat(5 * 512 * 1024)],
  ['overhead of very many small entries', 32_000, 'x', ''],
])('the oldest entry is evicted beyond 32 MiB of %s', async (_what, ...lists) => {
  expect(await readsOf(...lists)).toEqual([1, 2]);
});

test('takes no more memory than its bytes', async () => {
  const { bytes } = (await cachedSource()).first;

  expect(bytes.buffer.byteLength).toBe(bytes.length);
});

test('names in the log a response that is too large to be cached', async () => {
  const error = jest.spyOn(logger, 'error').mockImplementation();
  const [bytes, maxBytes] = [32 * 1024 * 1024 + 1, 32 * 1024 * 1024];
  const body = { bytes: Buffer.alloc(bytes), isCompressed: true, size: bytes };
  const read = () => Promise.resolve(body);

  const found = await new RequestContext().run(1000, () =>
    cachedBody({ key, cacheMs: 60_000, limitMs: 1000, read }),
  );

  expect(found.bytes).toBe(body.bytes);
  expect(error).toHaveBeenCalledWith(
    `GET /list-${name} is too large to be cached: every request reads it.`,
    { bytes, maxBytes },
  );
});

import { logger } from 'firebase-functions/logger';
import { ListTooLargeError } from './serializeBody.ts';
import { ResponseCache } from './responseCache.ts';
import { getCurrentContext, RequestContext } from '../runtime/requestContext.ts';

const DEADLINE_MS = 10_000;

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(logger, 'info').mockImplementation();
});

/** Creates a cache whose reads end when the test resolves or rejects them. */
function createTestCache({ cacheSeconds = 5 } = {}) {
  const cache = new ResponseCache();
  const reads: PromiseWithResolvers<string>[] = [];
  const signals: AbortSignal[] = [];
  let requests = 0;

  async function read() {
    const { usage, signal } = getCurrentContext();
    usage.reads += 7;
    signals.push(signal);
    const result = Promise.withResolvers<string>();
    reads.push(result);
    const bytes = Buffer.from(await result.promise);
    return { bytes, isGzipped: true, uncompressedSize: bytes.length };
  }

  return {
    reads,
    signals,
    /** Gets the response as part of a request. `ownReads` is the number of reads of that request. */
    request: async (deadlineMs = DEADLINE_MS) => {
      requests += 1;
      const context = new RequestContext(`request-${requests}`);
      const cacheRequest = { maxAgeMs: cacheSeconds * 1000, deadlineMs: DEADLINE_MS, read };
      const { body, etag, readAt } = await context.run(deadlineMs, () => cache.get(cacheRequest));
      return { text: body.bytes.toString(), etag, readAt, ownReads: context.usage.reads };
    },
  };
}

async function advance(seconds: number): Promise<void> {
  await jest.advanceTimersByTimeAsync(seconds * 1000);
}

test('concurrent requests share one read, whose log line names the first of them', async () => {
  const { reads, request } = createTestCache();

  const pending = Array.from({ length: 50 }, () => request());
  await advance(2);
  reads[0]?.resolve('a');

  expect(await Promise.all(pending)).toMatchObject(pending.map(() => ({ text: 'a', ownReads: 0 })));
  expect(reads).toHaveLength(1);
  const logFields = { requestId: 'request-1', firestoreReads: 7, latencyMs: 2000 };
  expect(jest.mocked(logger.info).mock.calls).toEqual([
    [expect.any(String), expect.objectContaining(logFields)],
  ]);
});

test('a response is cached for its max age, counted from the start of its read', async () => {
  const { reads, request } = createTestCache();
  const first = request();
  await advance(3);
  reads[0]?.resolve('old');
  const { readAt, etag } = await first;

  await advance(2);
  expect(await request()).toMatchObject({ text: 'old', readAt });
  await advance(0.001);
  const later = request();
  reads[1]?.resolve('new');

  expect(await later).toMatchObject({ text: 'new', readAt: readAt + 5001 });
  expect(etag).toMatch(/^W\/"[\w-]+"$/);
  expect((await later).etag).not.toBe(etag);
});

test.each([
  { cacheSeconds: 5, ageSeconds: 5.001 },
  { cacheSeconds: 0, ageSeconds: 0.001 },
])(
  'with a max age of $cacheSeconds s, requests wait for an older read and share the next',
  async (row) => {
    const { cacheSeconds, ageSeconds } = row;
    const { reads, request } = createTestCache({ cacheSeconds });
    const first = request();
    await advance(ageSeconds);
    const waiting = [request(), request()];
    await advance(1);
    expect(reads).toHaveLength(1);

    reads[0]?.resolve('old');
    await advance(1);
    reads[1]?.resolve('new');

    expect((await first).text).toBe('old');
    expect((await Promise.all(waiting)).map(({ text }) => text)).toEqual(['new', 'new']);
    expect(reads).toHaveLength(2);
  },
);

test('with a max age of 0, each later request reads again', async () => {
  const { reads, request } = createTestCache({ cacheSeconds: 0 });
  for (const text of ['a', 'b']) {
    const response = request();
    reads.at(-1)?.resolve(text);
    expect((await response).text).toBe(text);
  }
});

test('requests that end while they wait start no read', async () => {
  const { reads, request } = createTestCache();
  const first = request();
  await advance(6);
  const waiting = request(1_000).catch((reason: unknown) => reason);
  await advance(2);
  reads[0]?.resolve('old');

  expect((await first).text).toBe('old');
  expect(await waiting).toMatchObject({ code: 'unavailable' });
  await advance(1);
  expect(reads).toHaveLength(1);
});

test('a failed read fails all requests that share it; waiting and later requests read again', async () => {
  const { reads, request } = createTestCache();
  const failure = new Error('No.');

  const sharing = Promise.allSettled([request(), request()]);
  await advance(6);
  const waiting = request();
  reads[0]?.reject(failure);
  const rejection = { status: 'rejected', reason: failure };
  expect(await sharing).toEqual([rejection, rejection]);
  // The documents that were read are billed anyway.
  expect(jest.mocked(logger.info).mock.calls[0]?.[1]).toMatchObject({ firestoreReads: 7 });
  await advance(0);
  reads[1]?.reject(failure);
  await expect(waiting).rejects.toBe(failure);
  const next = request();
  reads[2]?.resolve('new');

  expect((await next).text).toBe('new');
});

test('a read continues until its own deadline after the request that started it has ended', async () => {
  const { reads, request, signals } = createTestCache({ cacheSeconds: 60 });
  const starter = request(1_000).catch((reason: unknown) => reason);
  await advance(4);
  const sharer = request().catch((reason: unknown) => reason);

  await advance(5.999);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await advance(1);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(await starter).toMatchObject({ code: 'unavailable' });
  expect(await sharer).toMatchObject({ code: 'unavailable' });
  const next = request();
  reads[1]?.resolve('new');

  expect((await next).text).toBe('new');
});

test('the error of a list that is too large is cached as long as a response', async () => {
  const { reads, request } = createTestCache();
  const failure = new ListTooLargeError();

  const first = request();
  reads[0]?.reject(failure);
  await expect(first).rejects.toBe(failure);
  await advance(5);
  await expect(request()).rejects.toBe(failure);
  expect(reads).toHaveLength(1);
  await advance(0.001);
  const next = request();
  reads[1]?.resolve('new');

  expect((await next).text).toBe('new');
});

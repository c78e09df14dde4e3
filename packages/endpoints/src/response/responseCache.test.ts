import { logger } from 'firebase-functions/logger';
import { ResponseTooLargeError } from './compress.ts';
import { ResponseCache } from './responseCache.ts';
import { getCurrentContext, RequestContext } from '../runtime/requestContext.ts';

const DEADLINE_MS = 10_000;

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(logger, 'info').mockImplementation();
});

/** A response, each read of which ends when the test says so. */
function newResponse({ cacheSeconds = 5 } = {}) {
  const cache = new ResponseCache();
  const reads: PromiseWithResolvers<string>[] = [];
  const signals: AbortSignal[] = [];
  let requests = 0;

  async function read() {
    const { usage, signal } = getCurrentContext();
    usage.reads += 7;
    signals.push(signal);
    const reading = Promise.withResolvers<string>();
    reads.push(reading);
    const bytes = Buffer.from(await reading.promise);
    return { bytes, isGzipped: true, uncompressedSize: bytes.length };
  }

  return {
    reads,
    signals,
    /** Requests it; returns its text, when it was read, and what the request itself has read. */
    request: async (timeoutMs = DEADLINE_MS) => {
      const context = new RequestContext(`request-${(requests += 1)}`);
      const wanted = { maxAgeMs: cacheSeconds * 1000, timeoutMs: DEADLINE_MS, read };
      const { body, etag, readAt } = await context.run(timeoutMs, () => cache.get(wanted));
      return { text: body.bytes.toString(), tag: etag, readAt, ownReads: context.usage.reads };
    },
  };
}

async function pass(seconds: number): Promise<void> {
  await jest.advanceTimersByTimeAsync(seconds * 1000);
}

test('is read once for all concurrent requests, with a log line that names the first one', async () => {
  const { reads, request } = newResponse();

  const pending = Array.from({ length: 50 }, () => request());
  await pass(2);
  reads[0]?.resolve('a');

  expect(await Promise.all(pending)).toMatchObject(pending.map(() => ({ text: 'a', ownReads: 0 })));
  expect(reads).toHaveLength(1);
  const line = { requestId: 'request-1', firestoreReads: 7, ms: 2000 };
  expect(jest.mocked(logger.info).mock.calls).toEqual([
    [expect.any(String), expect.objectContaining(line)],
  ]);
});

test('is cached for its lifetime, which begins with the start of the read', async () => {
  const { reads, request } = newResponse();
  const first = request();
  await pass(3);
  reads[0]?.resolve('old');
  const { readAt, tag } = await first;

  await pass(2);
  expect(await request()).toMatchObject({ text: 'old', readAt });
  await pass(0.001);
  const late = request();
  reads[1]?.resolve('new');

  expect(await late).toMatchObject({ text: 'new', readAt: readAt + 5001 });
  expect(tag).toMatch(/^W\/"[\w-]+"$/);
  expect((await late).tag).not.toBe(tag);
});

test.each([
  ['the lifetime', 5, 5.001],
  ['no time, if nothing is cached', 0, 0.001],
])('requests wait for a read that is older than %s, and share the next one', async (...row) => {
  const [, cacheSeconds, seconds] = row;
  const { reads, request } = newResponse({ cacheSeconds });
  const first = request();
  await pass(seconds);
  const waiting = [request(), request()];
  await pass(1);
  expect(reads).toHaveLength(1);

  reads[0]?.resolve('old');
  await pass(1);
  reads[1]?.resolve('new');

  expect((await first).text).toBe('old');
  expect((await Promise.all(waiting)).map(({ text }) => text)).toEqual(['new', 'new']);
  expect(reads).toHaveLength(2);
});

test('is read anew by each later request if nothing is cached', async () => {
  const { reads, request } = newResponse({ cacheSeconds: 0 });
  for (const text of ['a', 'b']) {
    const pending = request();
    reads.at(-1)?.resolve(text);
    expect((await pending).text).toBe(text);
  }
});

test('is not read for requests that have ended while they waited', async () => {
  const { reads, request } = newResponse();
  const first = request();
  await pass(6);
  const waiting = request(1_000).catch((reason: unknown) => reason);
  await pass(2);
  reads[0]?.resolve('old');

  expect((await first).text).toBe('old');
  expect(await waiting).toMatchObject({ code: 'unavailable' });
  await pass(1);
  expect(reads).toHaveLength(1);
});

test('a failed read fails all requests that share it; waiting and later requests read again', async () => {
  const { reads, request } = newResponse();
  const failure = new Error('No.');

  const sharing = [request(), request()].map(async (each) =>
    each.catch((reason: unknown) => reason),
  );
  await pass(6);
  const waiting = request();
  reads[0]?.reject(failure);
  expect((await Promise.all(sharing)).map((reason) => reason === failure)).toEqual([true, true]);
  // The documents that were read are billed anyway.
  expect(jest.mocked(logger.info).mock.calls[0]?.[1]).toMatchObject({ firestoreReads: 7 });
  await pass(0);
  reads[1]?.reject(failure);
  await expect(waiting).rejects.toBe(failure);
  const next = request();
  reads[2]?.resolve('new');

  expect((await next).text).toBe('new');
});

test('a read goes on to its own deadline, whoever has started it', async () => {
  const { reads, request, signals } = newResponse({ cacheSeconds: 60 });
  const early = request(1_000).catch((reason: unknown) => reason);
  await pass(4);
  const joined = request().catch((reason: unknown) => reason);

  await pass(5.999);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await pass(1);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  for (const failed of [early, joined]) expect(await failed).toMatchObject({ code: 'unavailable' });
  const next = request();
  reads[1]?.resolve('new');

  expect((await next).text).toBe('new');
});

test('caches ResponseTooLargeError as long as a response', async () => {
  const { reads, request } = newResponse();
  const failure = new ResponseTooLargeError();

  const first = request();
  reads[0]?.reject(failure);
  await expect(first).rejects.toBe(failure);
  await pass(5);
  await expect(request()).rejects.toBe(failure);
  expect(reads).toHaveLength(1);
  await pass(0.001);
  const next = request();
  reads[1]?.resolve('new');

  expect((await next).text).toBe('new');
});

import { logger } from 'firebase-functions/logger';
import { ListTooLarge } from '../../functions/src/http/responseBody.ts';
import { cachedBody } from '../../functions/src/http/responseCache.ts';
import { currentContext, RequestContext } from '../../functions/src/platform/requestContext.ts';

const MIB = 1024 * 1024;

let lists = 0;

beforeEach(() => {
  jest.useFakeTimers();
  // The cache takes a start at 0 for none.
  jest.advanceTimersByTime(1);
  jest.spyOn(logger, 'info').mockImplementation();
});

/** A list of its own, each read of which ends when the test says so. */
function newList({ cacheSeconds = 60, input = '' } = {}) {
  lists += 1;
  const name = `GET /list-${lists}`;
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
    name,
    reads,
    signals,
    /** Requests the list; returns its text, when it was read, and what the request itself has read. */
    request: async () => {
      const context = new RequestContext();
      const source = { name, input, cacheMs: cacheSeconds * 1000, read };
      const { body, tag, readAt } = await context.run(10_000, () => cachedBody(source));
      return { text: body.bytes.toString(), tag, readAt, ownReads: context.usage.reads };
    },
  };
}

async function pass(seconds: number): Promise<void> {
  await jest.advanceTimersByTimeAsync(seconds * 1000);
}

test('is read once for all concurrent requests, and billed to a log line of its own', async () => {
  const { name, reads, request } = newList();

  const pending = Array.from({ length: 50 }, () => request());
  await pass(2);
  reads[0]?.resolve('a');

  expect(await Promise.all(pending)).toMatchObject(pending.map(() => ({ text: 'a', ownReads: 0 })));
  expect(reads).toHaveLength(1);
  expect(jest.mocked(logger.info).mock.calls).toEqual([
    [`${name} was read`, { firestoreReads: 7, ms: 2000 }],
  ]);
});

test('is cached for its lifetime, which begins with the start of the read', async () => {
  const { reads, request } = newList({ cacheSeconds: 5 });
  const first = request();
  await pass(3);
  reads[0]?.resolve('old');
  const { readAt } = await first;

  await pass(2);
  expect(await request()).toMatchObject({ text: 'old', readAt });
  await pass(0.001);
  const late = request();
  reads[1]?.resolve('new');

  expect(await late).toMatchObject({ text: 'new', readAt: readAt + 5001 });
});

test('is read anew by the next request when the read took longer than the lifetime', async () => {
  const { reads, request } = newList({ cacheSeconds: 5 });
  const first = request();
  await pass(6);
  reads[0]?.resolve('old');
  await first;

  const next = request();
  reads[1]?.resolve('new');

  expect((await next).text).toBe('new');
});

test('is read for every request if its lifetime is 0', async () => {
  const { reads, request } = newList({ cacheSeconds: 0 });

  const pending = [request(), request(), request()];
  reads.forEach((read, index) => {
    read.resolve(index === 0 ? 'a' : 'b');
  });

  const [first, second, third] = await Promise.all(pending);
  expect([first, second]).toMatchObject([
    { text: 'a', ownReads: 7 },
    { text: 'b', ownReads: 7 },
  ]);
  // The tag is that of the content.
  expect(second?.tag).toMatch(/^W\/"[\w-]+"$/);
  expect([first?.tag === second?.tag, second?.tag === third?.tag]).toEqual([false, true]);
});

test('fails with one error for all that share a read; the next request reads anew', async () => {
  const { reads, request } = newList();
  const failure = new Error('No.');

  const pending = [request(), request(), request()];
  reads[0]?.reject(failure);
  const reasons = await Promise.all(
    pending.map(async (each) => each.catch((reason: unknown) => reason)),
  );
  const next = request();
  reads[1]?.resolve('new');

  expect(reasons.map((reason) => reason === failure)).toEqual([true, true, true]);
  // What was read is billed all the same.
  expect(jest.mocked(logger.info).mock.calls[0]?.[1]).toMatchObject({ firestoreReads: 7 });
  expect((await next).text).toBe('new');
});

test('a read that hangs ends at the deadline of the request that started it, for all that share it', async () => {
  const { reads, request, signals } = newList();
  const early = request().catch((reason: unknown) => reason);
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

/** Reads lists one after the other, then the last and the first again; returns how often these two were read. */
async function readsOf(number: number, text: string, input: string): Promise<number[]> {
  // Setting fake timers is slow.
  jest.useRealTimers();
  const all = Array.from({ length: number }, () => newList({ input }));
  const ends = [...all.slice(-1), ...all.slice(0, 1)];
  for (const { request, reads } of [...all, ...ends]) {
    const pending = request();
    reads.at(-1)?.resolve(text);
    await pending;
  }
  return ends.map(({ reads }) => reads.length);
}

test.each([
  ['content', 6, 'x'.repeat(6 * MIB), ''],
  ['keys', 7, 'x', 'k'.repeat(2.5 * MIB)],
  ['overhead of very many small entries', 32_000, 'x', ''],
])('the oldest entry is evicted beyond 32 MiB of %s', async (_what, ...all) => {
  expect(await readsOf(...all)).toEqual([1, 2]);
});

test('the largest response that can be sent is cached', async () => {
  expect(await readsOf(1, 'x'.repeat(32 * MIB), '')).toEqual([1, 1]);
});

test('a read in progress is not lost when the cache is full', async () => {
  const { request, reads } = newList();
  const pending = request();
  await readsOf(7, 'x'.repeat(6 * MIB), '');

  reads[0]?.resolve('a');

  expect((await pending).text).toBe('a');
});

test('takes no more memory than its bytes', async () => {
  const bytes = Buffer.alloc(100).subarray(0, 10);
  const read = () => Promise.resolve({ bytes, isCompressed: true, size: 10 });

  const { body } = await new RequestContext().run(1000, () =>
    cachedBody({ name: 'GET /compact', input: '', cacheMs: 60_000, read }),
  );

  expect(body.bytes).toEqual(bytes);
  expect(body.bytes.buffer.byteLength).toBe(10);
});

test('that a list is too large to be sent is cached as long as the list would be', async () => {
  const { name, reads, request } = newList({ cacheSeconds: 5 });
  const failure = new ListTooLarge();

  const first = request();
  reads[0]?.reject(failure);
  await expect(first).rejects.toBe(failure);
  await pass(5);
  await expect(request()).rejects.toBe(failure);
  expect(jest.mocked(logger.info).mock.calls).toEqual([
    [`${name} was read`, { firestoreReads: 7, ms: 0 }],
  ]);
  await pass(0.001);
  const next = request();
  reads[1]?.resolve('new');

  expect((await next).text).toBe('new');
});

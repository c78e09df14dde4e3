import { getCurrentContext, RequestContext } from './requestContext.ts';

const DEADLINE_MS = 3_000;

jest.useFakeTimers();

test('each request has its own context, and there is none outside of one', async () => {
  const usages = await Promise.all(
    [1, 2].map((reads) =>
      new RequestContext().run(DEADLINE_MS, async () => {
        await Promise.resolve();
        getCurrentContext().usage.reads += reads;
        return getCurrentContext().usage;
      }),
    ),
  );

  expect(usages).toMatchObject([
    { reads: 1, writes: 0 },
    { reads: 2, writes: 0 },
  ]);
  expect(() => getCurrentContext()).toThrow('No request is being served.');
});

test.each([
  { name: 'result', work: async () => Promise.resolve(7), outcome: 7 },
  {
    name: 'error',
    work: async () => Promise.reject(new Error('No.')),
    outcome: new Error('No.'),
  },
])('settles with the $name of the work, and aborts the signal', async ({ work, outcome }) => {
  const context = new RequestContext();

  const result: unknown = await context
    .run<number>(DEADLINE_MS, work)
    .catch((error: unknown) => error);

  expect(result).toEqual(outcome);
  expect(context.signal.reason).toEqual(new Error('The request has ended.'));
  expect(jest.getTimerCount()).toBe(0);
});

test('aborts at the deadline and not before, even if the work ignores the signal', async () => {
  const context = new RequestContext();
  const result = context.run(DEADLINE_MS, () => new Promise<never>(() => undefined));
  // The rejection is expected below.
  result.catch(() => undefined);

  await jest.advanceTimersByTimeAsync(DEADLINE_MS - 1);
  expect([context.signal.aborted, context.remainingMs]).toEqual([false, 1]);
  await jest.advanceTimersByTimeAsync(1);
  jest.runAllTimers();

  expect([context.signal.aborted, context.remainingMs]).toEqual([true, 0]);
  await expect(result).rejects.toMatchObject({
    code: 'unavailable',
    cause: new Error('The deadline has passed.'),
  });
});

test('rejects only after the work has updated mayHaveWritten in its abort listener', async () => {
  const context = new RequestContext();
  context.mayHaveWritten = true;
  const result = context.run(DEADLINE_MS, async () => {
    await new Promise((resolve) => {
      context.signal.addEventListener('abort', resolve);
    });
    context.mayHaveWritten = false;
    return new Promise<never>(() => undefined);
  });
  const mayHaveWritten = result.catch(() => context.mayHaveWritten);

  await jest.advanceTimersByTimeAsync(DEADLINE_MS + 1);

  expect(await mayHaveWritten).toBe(false);
});

test('rejects and sets clientDisconnected when the client disconnects', async () => {
  const context = new RequestContext();
  const result = context.run(DEADLINE_MS, () => new Promise<never>(() => undefined));
  result.catch(() => undefined);
  expect(context.clientDisconnected).toBe(false);

  context.disconnect();
  jest.runAllTimers();

  await expect(result).rejects.toThrow('The client has disconnected.');
  expect([context.clientDisconnected, context.signal.aborted]).toEqual([true, true]);
});

import { currentContext, inContext, newUsage } from '../functions/src/requestContext.ts';

test('each request has its own context, and starts with no usage', async () => {
  const { signal } = new AbortController();
  const before = Date.now();
  const usages = await Promise.all(
    [1, 2].map((reads) =>
      inContext({ usage: newUsage(), signal }, async () => {
        await Promise.resolve();
        currentContext().usage.reads += reads;
        return currentContext().usage;
      }),
    ),
  );

  expect(usages).toMatchObject([
    { reads: 1, writes: 0 },
    { reads: 2, writes: 0 },
  ]);
  for (const { readAt } of usages) expect(readAt).toBeGreaterThanOrEqual(before);
});

test('there is no context outside of a request', () => {
  expect(() => currentContext()).toThrow('No request is being served.');
});

import { TimeLimitError, withinLimit } from '../../functions/src/platform/timeLimit.ts';

jest.useFakeTimers();

test('work within its limit gives its result, and leaves no timer behind', async () => {
  await expect(withinLimit(1_000, Promise.resolve(7))).resolves.toBe(7);
  await expect(withinLimit(1_000, Promise.reject(new Error('No.')))).rejects.toThrow('No.');

  expect(jest.getTimerCount()).toBe(0);
});

test('work that takes longer fails at the limit, and not before', async () => {
  let isOver = false;
  const outcome = withinLimit(1_000, new Promise(() => undefined)).catch((error: unknown) => {
    isOver = true;
    return error;
  });

  await jest.advanceTimersByTimeAsync(999);
  expect(isOver).toBe(false);
  await jest.advanceTimersByTimeAsync(1);

  expect(await outcome).toEqual(new TimeLimitError('No result within 1000 ms.'));
});

import { withinDeadline } from '../../functions/src/http/deadline.ts';

beforeEach(() => {
  process.env.DEADLINE_SECONDS = '3';
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

/** Work that never ends by itself, and whether it was aborted. */
function endlessWork() {
  let signal: AbortSignal | undefined;
  const result = withinDeadline((given) => {
    signal = given;
    return new Promise<never>(() => undefined);
  });
  // The test looks at the rejection later.
  result.catch(() => undefined);
  return { result, isAborted: () => signal?.aborted };
}

test('returns the result of the work, and leaves no timer behind', async () => {
  await expect(withinDeadline(() => Promise.resolve(7))).resolves.toBe(7);
  await expect(withinDeadline(() => Promise.reject(new Error('No.')))).rejects.toThrow('No.');

  expect(jest.getTimerCount()).toBe(0);
});

test('aborts the work at the deadline and not before', async () => {
  const { result, isAborted } = endlessWork();

  await jest.advanceTimersByTimeAsync(2_999);
  expect(isAborted()).toBe(false);
  await jest.advanceTimersByTimeAsync(1);

  expect(isAborted()).toBe(true);
  await expect(result).rejects.toMatchObject({
    code: 'unavailable',
    cause: new Error('The deadline has passed.'),
  });
});

test('ignores the failure of work that fails after the deadline', async () => {
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  let fail: (reason: Error) => void = () => undefined;
  const result = withinDeadline(
    () =>
      new Promise<never>((_resolve, reject) => {
        fail = reject;
      }),
  );
  const outcomes = Promise.allSettled([result]);
  await jest.advanceTimersByTimeAsync(3_000);
  expect(await outcomes).toMatchObject([{ reason: { code: 'unavailable' } }]);

  fail(new Error('Too late.'));
  jest.useRealTimers();
  await new Promise(setImmediate);
  process.off('unhandledRejection', unhandled);

  expect(unhandled).not.toHaveBeenCalled();
});

test('fails without starting the work if the parameter is invalid', async () => {
  process.env.DEADLINE_SECONDS = '0';
  const work = jest.fn<Promise<void>, [AbortSignal]>();

  await expect(withinDeadline(work)).rejects.toThrow('DEADLINE_SECONDS');
  expect(work).not.toHaveBeenCalled();
});

import { logger } from 'firebase-functions/logger';
import { FieldError } from '../declaration/errors.ts';
import { getCurrentContext } from './requestContext.ts';
import { runInBackground } from './runInBackground.ts';

jest.useFakeTimers();

/** Runs work with a deadline of 3 s. Returns its result and its log line. */
async function run(work: () => Promise<unknown>) {
  const write = jest.spyOn(logger, 'write').mockReturnValue();
  const settled = Promise.allSettled([runInBackground(work, { deadlineSeconds: 3 })]);
  await jest.advanceTimersByTimeAsync(3_001);
  const [result] = await settled;
  return { result, lines: write.mock.calls.map(([entry]) => entry) };
}

test('the work has a context, whose reads and writes are logged', async () => {
  const { result, lines } = await run(() => {
    Object.assign(getCurrentContext().usage, { reads: 2, writes: 1 });
    return Promise.resolve();
  });

  expect(result.status).toBe('fulfilled');
  expect(lines).toEqual([
    expect.objectContaining({
      severity: 'INFO',
      latencyMs: expect.any(Number) as unknown,
      firestoreReads: 2,
      firestoreWrites: 1,
    }),
  ]);
});

test('a 4xx error is only logged: with the same event it would come again', async () => {
  const field = { field: 'conversationId', id: 'c' };

  const { result, lines } = await run(() =>
    Promise.reject(new FieldError('not-found', field, 'does not exist')),
  );

  expect(result.status).toBe('fulfilled');
  expect(lines).toMatchObject([
    { severity: 'WARNING', errorCode: 'not-found', field: 'conversationId' },
  ]);
});

test.each([
  {
    name: 'another error',
    work: () => Promise.reject(new Error('No.')),
    reason: { message: 'No.' },
    errorCode: 'internal',
  },
  {
    name: 'the deadline, even if the work goes on',
    work: () => new Promise(() => undefined),
    reason: { code: 'unavailable' },
    errorCode: 'unavailable',
  },
])('rejects after $name, so that the event is delivered again', async (row) => {
  const { result, lines } = await run(row.work);

  expect(result).toMatchObject({ status: 'rejected', reason: row.reason });
  expect(lines).toMatchObject([{ severity: 'ERROR', errorCode: row.errorCode }]);
});

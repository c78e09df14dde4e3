import { withCallLimit } from './callLimit.ts';

/** A call without a response: it ends when it is aborted. */
async function unanswered(limit: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    limit.addEventListener('abort', () => {
      reject(limit.reason as Error);
    });
  });
}

test('a call without a response fails, and the error names the call', async () => {
  await expect(withCallLimit('GET /nowhere', unanswered, 1)).rejects.toThrow(
    'GET /nowhere got no response within 0.001 s.',
  );
});

test('a call that fails by itself keeps its error', async () => {
  const refused = () => Promise.reject(new Error('connection refused'));

  await expect(withCallLimit('GET /nowhere', refused)).rejects.toThrow('connection refused');
});

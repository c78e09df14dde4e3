import { withCallLimit } from './callLimit.ts';

/** A call without a response: it ends when it is aborted. */
async function unanswered(limit: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    limit.addEventListener('abort', () => {
      reject(limit.reason as Error);
    });
  });
}

test('a call that gets no answer fails, and says which call it was', async () => {
  await expect(withCallLimit('GET /nowhere', unanswered, 1)).rejects.toThrow(
    'GET /nowhere got no answer within 0.001 s.',
  );
});

test('a call that fails by itself says why', async () => {
  const refused = () => Promise.reject(new Error('connection refused'));

  await expect(withCallLimit('GET /nowhere', refused)).rejects.toThrow('connection refused');
});

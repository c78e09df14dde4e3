import { ServiceError } from '../declaration/errors.ts';
import { RequestContext } from './requestContext.ts';
import { logBackgroundRun } from './requestLog.ts';

/**
 * Runs the work of a trigger or schedule like the handler of a request: models keep its deadline, and a log line has the
 * duration and what the models read and wrote. Rejects with the error of `work`, and with `unavailable` at the deadline, even if `work`
 * goes on; the platform then delivers the event of a function with `retry` again. A 4xx error is only
 * logged: with the same event it would come again.
 */
export async function runInBackground(
  work: () => Promise<unknown>,
  { deadlineSeconds }: { readonly deadlineSeconds: number },
): Promise<void> {
  const context = new RequestContext();
  const startedAt = performance.now();
  let error: unknown;
  try {
    await context.run(1000 * deadlineSeconds, work);
  } catch (reason) {
    error = reason;
    if (!isRejection(reason)) throw reason;
  } finally {
    logBackgroundRun(error, performance.now() - startedAt, context);
  }
}

function isRejection(error: unknown): boolean {
  return error instanceof ServiceError && error.status < 500;
}

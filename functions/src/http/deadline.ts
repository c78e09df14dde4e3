import { deadlineSeconds } from '../parameters.ts';
import { unavailable } from './errors.ts';

/**
 * The result of work that is given up at the deadline of the parameter: its signal aborts then, and the caller gets
 * `unavailable`, whether the work heeds the signal or not.
 */
export async function withinDeadline<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const reason = new Error('The deadline has passed.');
      controller.abort(reason);
      reject(unavailable(reason));
    }, deadlineSeconds.value() * 1000);
    work(controller.signal)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer);
      });
  });
}

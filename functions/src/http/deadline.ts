import { deadlineSeconds } from '../parameters.ts';
import { unavailable } from './errors.ts';

/**
 * Runs work with the deadline of the parameter. At the deadline the signal aborts and the result rejects with
 * `unavailable`, even if the work ignores the signal.
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
    const settled =
      <Value>(settle: (value: Value) => void) =>
      (value: Value) => {
        clearTimeout(timer);
        settle(value);
      };
    work(controller.signal).then(settled(resolve), settled(reject));
  });
}

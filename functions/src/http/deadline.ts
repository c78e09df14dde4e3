import { deadlineSeconds } from '../parameters.ts';
import { unavailable } from './errors.ts';

/**
 * The result of the work, or a 503 once the deadline parameter's time has passed. The work itself is not
 * stopped: Firestore's SDK cannot be, it goes on by itself for up to minutes when the database does not answer.
 */
export async function withinDeadline<Result>(work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(unavailable());
    }, deadlineSeconds.value() * 1000);
    const end = <Value>(settle: (value: Value) => void) => {
      return (value: Value) => {
        clearTimeout(timer);
        settle(value);
      };
    };
    work.then(end(resolve), end(reject));
  });
}

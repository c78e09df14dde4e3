import { deadlineSeconds } from '../parameters.ts';
import { unavailable } from './errors.ts';

/**
 * The result of the work, or a 503 once the deadline parameter's time has passed. The work itself is not
 * stopped: Firestore's SDK cannot be, it goes on by itself for up to minutes when the database does not answer.
 */
export async function withinDeadline<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(unavailable());
    }, deadlineSeconds.value() * 1000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

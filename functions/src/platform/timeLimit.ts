/** Work took longer than its time limit. */
export class TimeLimitError extends Error {}

/** The result of work. Rejects with a `TimeLimitError` after `ms`; the work itself is not stopped. */
export async function withinLimit<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new TimeLimitError(`No result within ${ms} ms.`));
    }, ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

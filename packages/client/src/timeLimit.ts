/** What setTimeout can wait for, in ms, some 25 days: it fires at once if the time is longer. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Creates the deadline of a call. `race` rejects when the time is over, with the error of
 * `createTimeoutError`, or when the app's signal aborts; `signal` then cancels requests in
 * progress. Implemented with a timer, because React Native lacks AbortSignal.timeout and
 * AbortSignal.any.
 */
export function timeLimit(ms: number, caller: AbortSignal | undefined, timedOut: () => Error) {
  const controller = new AbortController();
  const length = Math.min(ms, LONGEST_MS);
  const ends = Date.now() + length;
  let end: (reason: unknown) => void = () => undefined;
  const over = new Promise<never>((_resolve, reject) => {
    end = (reason) => {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- The reason is the caller's.
      reject(reason);
      controller.abort();
    };
  });
  // If nothing waits for it, the rejection must not count as unhandled.
  over.catch(() => undefined);
  const timer = setTimeout(() => {
    end(timedOut());
  }, length);
  const onAbort = () => {
    end(caller?.reason ?? new Error('The call was aborted.'));
  };
  if (caller?.aborted) onAbort();
  else caller?.addEventListener('abort', onAbort);

  const within = <Result>(work: Promise<Result>) => Promise.race([over, work]);
  return {
    signal: controller.signal,
    within,
    msLeft: () => ends - Date.now(),
    /** Waits for less than `msLeft`. */
    async sleep(wait: number) {
      let wake: ReturnType<typeof setTimeout> | undefined;
      const slept = new Promise((resolve) => {
        wake = setTimeout(resolve, wait);
      });
      await within(slept).finally(() => {
        clearTimeout(wake);
      });
    },
    clear() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onAbort);
    },
  };
}

/** What setTimeout can wait for, in ms, some 25 days: it fires at once if the time is longer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Creates the deadline of a call. `race` rejects when the time is over, with the error of
 * `createTimeoutError`, or when the app's signal aborts; `signal` then cancels requests in
 * progress. Implemented with a timer, because React Native lacks AbortSignal.timeout and
 * AbortSignal.any.
 */
export function createDeadline(ms: number, caller: AbortSignal | undefined, timedOut: () => Error) {
  const controller = new AbortController();
  const timeoutMs = Math.min(ms, MAX_TIMER_MS);
  const deadlineAt = Date.now() + timeoutMs;
  let expire: (reason: unknown) => void = () => undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    expire = (reason) => {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- The reason is the caller's.
      reject(reason);
      controller.abort();
    };
  });
  // If nothing waits for it, the rejection must not count as unhandled.
  expired.catch(() => undefined);
  const timer = setTimeout(() => {
    expire(timedOut());
  }, timeoutMs);
  const onAbort = () => {
    expire(caller?.reason ?? new Error('The call was aborted.'));
  };
  if (caller?.aborted) onAbort();
  else caller?.addEventListener('abort', onAbort);

  const race = <Result>(work: Promise<Result>) => Promise.race([expired, work]);
  return {
    signal: controller.signal,
    race,
    remainingMs: () => deadlineAt - Date.now(),
    /** Waits for less than `msLeft`. */
    async sleep(wait: number) {
      let wake: ReturnType<typeof setTimeout> | undefined;
      const slept = new Promise((resolve) => {
        wake = setTimeout(resolve, wait);
      });
      await race(slept).finally(() => {
        clearTimeout(wake);
      });
    },
    dispose() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onAbort);
    },
  };
}

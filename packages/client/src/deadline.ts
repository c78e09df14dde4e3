/** The maximum delay of setTimeout, in ms: some 25 days. A timer with a longer delay fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The reason with which the deadline ends when the time expires. */
const EXPIRED = new Error('The timeout has expired.');

/**
 * Creates the deadline of a call, which ends when the time expires or the signal of the app aborts.
 * `race` then rejects, and `signal` cancels the request in progress. Implemented with a timer, because
 * React Native lacks AbortSignal.timeout and AbortSignal.any.
 */
export function createDeadline(ms: number, appSignal: AbortSignal | undefined) {
  const controller = new AbortController();
  const timeoutMs = Math.min(ms, MAX_TIMER_MS);
  const deadlineAt = performance.now() + timeoutMs;
  let rejectEnd: (reason: unknown) => void = () => undefined;
  const end = new Promise<never>((_resolve, reject) => {
    rejectEnd = reject;
  });
  // Otherwise the rejection would count as unhandled if nothing waits for it.
  end.catch(() => undefined);
  const finish = (reason: unknown) => {
    rejectEnd(reason);
    controller.abort();
  };
  const onAbort = () => {
    // The signals of React Native have no reason, and it lacks DOMException.
    const abortError = Object.assign(new Error('The call was aborted.'), { name: 'AbortError' });
    finish(appSignal?.reason ?? abortError);
  };
  const timer = setTimeout(() => {
    finish(EXPIRED);
  }, timeoutMs);
  if (appSignal?.aborted) onAbort();
  else appSignal?.addEventListener('abort', onAbort);

  /** Waits for `work`. Rejects with the error of `createTimeoutError` if the time expires first. */
  async function race<Result>(
    work: Promise<Result>,
    createTimeoutError: () => Error,
  ): Promise<Result> {
    try {
      return await Promise.race([end, work]);
    } catch (error) {
      throw error === EXPIRED ? createTimeoutError() : error;
    }
  }

  return {
    signal: controller.signal,
    race,
    get remainingMs() {
      return deadlineAt - performance.now();
    },
    /** Waits for `delayMs`. Rejects like `race`. */
    async sleep(delayMs: number, createTimeoutError: () => Error) {
      let sleepTimer: ReturnType<typeof setTimeout> | undefined;
      const sleep = new Promise((resolve) => {
        sleepTimer = setTimeout(resolve, delayMs);
      });
      await race(sleep, createTimeoutError).finally(() => {
        clearTimeout(sleepTimer);
      });
    },
    /** Stops the timer, and listening to the signal of the app. */
    dispose() {
      clearTimeout(timer);
      appSignal?.removeEventListener('abort', onAbort);
    },
  };
}

/** The maximum delay of setTimeout, in ms: some 25 days. With a longer one, it fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Rejects `race` when the time has expired. */
const EXPIRED = new Error('The timeout has expired.');

/**
 * Creates the deadline of a call. `race` rejects when the time has expired or when the signal of the
 * app aborts; `signal` then cancels the request in progress. Implemented with a timer, because React
 * Native lacks AbortSignal.timeout and AbortSignal.any.
 */
export function createDeadline(ms: number, appSignal: AbortSignal | undefined) {
  const controller = new AbortController();
  const timeoutMs = Math.min(ms, MAX_TIMER_MS);
  const deadlineAt = Date.now() + timeoutMs;
  let end: (reason: unknown) => void = () => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    end = (reason) => {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- The app chooses the reason.
      reject(reason);
      controller.abort();
    };
  });
  // If nothing waits for it, the rejection must not count as unhandled.
  ended.catch(() => undefined);
  const timer = setTimeout(() => {
    end(EXPIRED);
  }, timeoutMs);
  const onAbort = () => {
    end(appSignal?.reason ?? new Error('The call was aborted.'));
  };
  if (appSignal?.aborted) onAbort();
  else appSignal?.addEventListener('abort', onAbort);

  /** Waits for `work`; rejects with the error of `createTimeoutError` if the time expires first. */
  async function race<Result>(
    work: Promise<Result>,
    createTimeoutError: () => Error,
  ): Promise<Result> {
    try {
      return await Promise.race([ended, work]);
    } catch (error) {
      throw error === EXPIRED ? createTimeoutError() : error;
    }
  }

  return {
    signal: controller.signal,
    race,
    remainingMs: () => deadlineAt - Date.now(),
    /** Waits for `delayMs`; rejects like `race`. */
    async sleep(delayMs: number, createTimeoutError: () => Error) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const slept = new Promise((resolve) => {
        timer = setTimeout(resolve, delayMs);
      });
      await race(slept, createTimeoutError).finally(() => {
        clearTimeout(timer);
      });
    },
    dispose() {
      clearTimeout(timer);
      appSignal?.removeEventListener('abort', onAbort);
    },
  };
}

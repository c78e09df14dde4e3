import { setAuthHeaders } from './authHeaders.ts';
import { createDeadline } from './deadline.ts';
import { MarketplaceError } from './error.ts';
import { buildRequest, sendRequest, type Operation } from './request.ts';
import { isRetryable, mayHaveBeenApplied, computeRetryDelayMs } from './retryPolicy.ts';
import type { CallOptions, MarketplaceOptions } from './types.ts';

/** The default timeout of a call, including retries, and the default number of retries. */
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 3;

/** The body of a response, or the error of a failed attempt. */
type Attempt = { readonly data: object } | { readonly error: MarketplaceError };

/** Calls an operation, and retries it after transient failures if a retry is safe. */
export async function call(
  operation: Operation,
  input: object | undefined,
  client: MarketplaceOptions,
  options: CallOptions = {},
): Promise<object> {
  const { signal, caller = {}, idempotencyKey = createRandomKey() } = options;
  const timeout = options.timeout ?? client.timeout ?? DEFAULT_TIMEOUT_MS;
  const retries = options.retries ?? client.retries ?? DEFAULT_RETRIES;
  // All attempts send the same request, even if the app mutates its input or another user signs in
  // meanwhile.
  const request = buildRequest(operation, input, client, idempotencyKey);
  const deadline = createDeadline(timeout, signal);
  /** The progress of the call, which is reported with its error. */
  const progress = { attempts: 0, mayHaveSucceeded: false };

  try {
    await authenticate(false);
    let tokenWasRefreshed = false;
    for (let retry = 0; ;) {
      const attempt = await send();
      if ('data' in attempt) return attempt.data;
      const { error } = attempt;
      if (error.status === 401 && request.headers.Authorization && !tokenWasRefreshed) {
        // The token may be revoked, or the device's clock may be wrong. A 401 means that this attempt
        // changed nothing.
        tokenWasRefreshed = true;
        await refreshToken(error);
        continue;
      }
      const delayMs = computeRetryDelayMs(error, retry);
      const canRetry = retry < retries && delayMs < deadline.remainingMs;
      if (!canRetry || !isRetryable(operation, error, progress.mayHaveSucceeded)) throw error;
      retry += 1;
      await deadline.sleep(delayMs, noResponseError);
    }
  } catch (error) {
    throw error instanceof MarketplaceError ? Object.assign(error, progress) : error;
  } finally {
    deadline.dispose();
  }

  /** Adds the tokens of the call to the request. */
  async function authenticate(forceRefresh: boolean): Promise<void> {
    const tokens = setAuthHeaders(request, operation, client, caller, forceRefresh);
    await deadline.race(tokens, noTokenError);
  }

  /** Requests a new token after an attempt failed with this error. */
  async function refreshToken(error: MarketplaceError): Promise<void> {
    try {
      await authenticate(true);
    } catch (cause) {
      if (signal?.aborted || cause instanceof MarketplaceError) throw cause;
      throw Object.assign(error, { cause });
    }
  }

  /** Sends the request once. Rejects only if the app aborts the call. */
  async function send(): Promise<Attempt> {
    progress.attempts += 1;
    try {
      const response = sendRequest(request, client, deadline.signal);
      return { data: await deadline.race(response, noResponseError) };
    } catch (error) {
      if (!(error instanceof MarketplaceError)) throw error;
      progress.mayHaveSucceeded ||= mayHaveBeenApplied(operation, error);
      return { error };
    }
  }

  function noTokenError(): MarketplaceError {
    return new MarketplaceError(`The app provided no token within ${timeout / 1000} s.`, {
      code: 'no-token',
    });
  }

  function noResponseError(): MarketplaceError {
    return new MarketplaceError(`The API did not respond within ${timeout / 1000} s.`);
  }
}

/** Creates a key that differs from that of any other call of the user, without `crypto`, which React Native lacks. */
function createRandomKey(): string {
  const random = () => Math.random().toString(36).slice(2);
  return `${Date.now().toString(36)}-${random()}${random()}`;
}

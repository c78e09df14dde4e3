import { MarketplaceError } from './error.ts';
import { buildRequest, sendRequest, type Operation, type Request } from './request.ts';
import { createDeadline } from './timeLimit.ts';
import type { Caller, CallOptions, MarketplaceOptions } from './types.ts';
import { readJwtSubject } from './user.ts';

/** The default timeout of a call, including retries, and the default number of retries. */
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 3;
/** The wait before the first retry, in ms. It doubles with each retry. */
const BASE_DELAY_MS = 300;

/** The statuses after which a request is sent again, as after a lost connection. */
const RETRYABLE_STATUSES = [408, 429, 502, 503, 504];

/** Calls an operation, and retries it after transient failures if a retry is safe. */
export async function call(
  operation: Operation,
  input: object | undefined,
  client: MarketplaceOptions,
  { signal, idempotencyKey, caller = {}, ...options }: CallOptions = {},
): Promise<object> {
  const timeout = options.timeout ?? client.timeout ?? DEFAULT_TIMEOUT_MS;
  const retries = options.retries ?? client.retries ?? DEFAULT_RETRIES;
  const [method, , access, effect] = operation;
  const key = effect === 'creates' ? (idempotencyKey ?? randomKey()) : undefined;
  // All attempts send the identical request, even if the app mutates its input or another user
  // signs in meanwhile.
  const request = buildRequest(operation, input, client, key);
  let attempts = 0;
  const deadline = createDeadline(timeout, signal, () => timeoutError(timeout, attempts > 0));
  let retry = 0;
  let tokenWasRefreshed = false;
  let mayHaveSucceeded = false;
  try {
    await deadline.race(setAuthHeaders(request, client, access, caller, false));
    for (;;) {
      try {
        attempts++;
        return await deadline.race(sendRequest(request, client, deadline.signal));
      } catch (error) {
        if (!(error instanceof MarketplaceError)) throw error;
        mayHaveSucceeded ||= method !== 'GET' && mayHaveBeenApplied(error);
        error.attempts = attempts;
        error.mayHaveSucceeded = mayHaveSucceeded;
        if (error.status === 401 && request.headers.Authorization && !tokenWasRefreshed) {
          // The token may be revoked, or this device's clock may be wrong. A 401 means that nothing
          // was done.
          tokenWasRefreshed = true;
          const renewal = setAuthHeaders(request, client, access, caller, true);
          await deadline.race(renewal).catch((cause: unknown) => {
            if (signal?.aborted) throw cause;
            // The user has changed or signed out.
            const known = { attempts, mayHaveSucceeded };
            if (cause instanceof MarketplaceError) throw Object.assign(cause, known);
            throw Object.assign(error, { cause });
          });
          continue;
        }
        const wait = Math.max((error.retryAfter ?? 0) * 1000, backoff(retry));
        const isTransient =
          error.code === 'no-response' || RETRYABLE_STATUSES.includes(error.status);
        const isRetryable = isTransient && !(effect === 'once' && mayHaveSucceeded);
        if (!isRetryable || ++retry > retries || wait >= deadline.remainingMs()) throw error;
        await deadline.sleep(wait);
      }
    }
  } finally {
    deadline.dispose();
  }
}

async function setAuthHeaders(
  { headers }: Request,
  { token, appCheckToken }: MarketplaceOptions,
  access: Operation[2],
  caller: Caller,
  forceRefresh: boolean,
): Promise<void> {
  const idToken = access === 'signedIn' ? await token?.(forceRefresh) : undefined;
  if (access === 'signedIn') requireSameUser(caller, idToken);
  const appToken = await appCheckToken?.();
  if (idToken) headers.Authorization = `Bearer ${idToken}`;
  if (appToken) headers['X-Firebase-AppCheck'] = appToken;
}

function requireSameUser(caller: Caller, idToken: string | undefined): void {
  const sub = idToken && readJwtSubject(idToken);
  caller.sub ??= sub;
  if (sub === caller.sub) return;
  throw new MarketplaceError('The user who made this call is no longer signed in.', {
    code: 'user-changed',
  });
}

function timeoutError(timeout: number, isSent: boolean): MarketplaceError {
  const seconds = timeout / 1000;
  return isSent
    ? new MarketplaceError(`The API did not respond within ${seconds} s.`)
    : new MarketplaceError(`The app provided no token within ${seconds} s.`, { code: 'no-token' });
}

/** Two calls of a user never have the same key. (React Native has no `crypto`.) */
function randomKey(): string {
  const random = () => Math.random().toString(36).slice(2);
  return `${Date.now().toString(36)}-${random()}${random()}`;
}

/** Whether a request that failed may have been carried out all the same. */
function mayHaveBeenApplied({ status, code }: MarketplaceError): boolean {
  if (status === 408) return code !== 'request-timeout';
  if (status === 503) return code !== 'unavailable';
  return status < 400 || status >= 500;
}

/** Exponential backoff in ms, with jitter, so that clients do not retry in lockstep. */
function backoff(retry: number): number {
  return BASE_DELAY_MS * 2 ** retry * (0.5 + Math.random() / 2);
}

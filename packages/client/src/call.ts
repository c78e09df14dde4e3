import { MarketplaceError } from './error.ts';
import { requestOf, send, type Operation, type Request } from './request.ts';
import { timeLimit } from './timeLimit.ts';
import type { Caller, CallOptions, MarketplaceOptions } from './types.ts';
import { subOf } from './user.ts';

/** The default timeout of a call, including retries, and the default number of retries. */
const TIMEOUT_MS = 30_000;
const RETRIES = 3;
/** The wait before the first retry, in ms. It doubles with each retry. */
const FIRST_WAIT_MS = 300;

/** The statuses after which a request is sent again, as after a lost connection. */
const TRANSIENT = [408, 429, 502, 503, 504];

/** Calls an operation, and retries it after transient failures if a retry is safe. */
export async function call(
  operation: Operation,
  input: object | undefined,
  client: MarketplaceOptions,
  { signal, idempotencyKey, caller = {}, ...options }: CallOptions = {},
): Promise<object> {
  const timeout = options.timeout ?? client.timeout ?? TIMEOUT_MS;
  const retries = options.retries ?? client.retries ?? RETRIES;
  const [method, , access, effect] = operation;
  const key = effect === 'creates' ? (idempotencyKey ?? randomKey()) : undefined;
  // All attempts send the identical request, even if the app mutates its input or another user
  // signs in meanwhile.
  const request = requestOf(operation, input, client, key);
  let attempts = 0;
  const limit = timeLimit(timeout, signal, () => timedOut(timeout, attempts > 0));
  let retry = 0;
  let isRenewed = false;
  let isInDoubt = false;
  try {
    await limit.within(addTokens(request, client, access, caller, false));
    for (;;) {
      try {
        attempts++;
        return await limit.within(send(request, client, limit.signal));
      } catch (error) {
        if (!(error instanceof MarketplaceError)) throw error;
        isInDoubt ||= method !== 'GET' && mayBeDone(error);
        error.attempts = attempts;
        error.mayHaveSucceeded = isInDoubt;
        if (error.status === 401 && request.headers.Authorization && !isRenewed) {
          // The token may be revoked, or this device's clock may be wrong. A 401 means that nothing
          // was done.
          isRenewed = true;
          const renewal = addTokens(request, client, access, caller, true);
          await limit.within(renewal).catch((cause: unknown) => {
            if (signal?.aborted) throw cause;
            // The user has changed or signed out.
            const known = { attempts, mayHaveSucceeded: isInDoubt };
            if (cause instanceof MarketplaceError) throw Object.assign(cause, known);
            throw Object.assign(error, { cause });
          });
          continue;
        }
        const wait = Math.max((error.retryAfter ?? 0) * 1000, backoff(retry));
        const isTransient = error.code === 'no-response' || TRANSIENT.includes(error.status);
        const isUseful = isTransient && !(effect === 'once' && isInDoubt);
        if (!isUseful || ++retry > retries || wait >= limit.msLeft()) throw error;
        await limit.sleep(wait);
      }
    }
  } finally {
    limit.clear();
  }
}

async function addTokens(
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
  const sub = idToken && subOf(idToken);
  caller.sub ??= sub;
  if (sub === caller.sub) return;
  throw new MarketplaceError('The user who made this call is no longer signed in.', {
    code: 'user-changed',
  });
}

function timedOut(timeout: number, isSent: boolean): MarketplaceError {
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
function mayBeDone({ status, code }: MarketplaceError): boolean {
  if (status === 408) return code !== 'request-timeout';
  if (status === 503) return code !== 'unavailable';
  return status < 400 || status >= 500;
}

/** Exponential backoff in ms, with jitter, so that clients do not retry in lockstep. */
function backoff(retry: number): number {
  return FIRST_WAIT_MS * 2 ** retry * (0.5 + Math.random() / 2);
}

import { MarketplaceError } from './error.ts';
import {
  requestOf,
  send,
  targetOf,
  type Operation,
  type Options,
  type Request,
} from './request.ts';
import { timeLimit } from './timeLimit.ts';

/** The default timeout of a call, including retries, and the default number of retries. */
const TIMEOUT_MS = 30_000;
const RETRIES = 3;
/** The wait before the first retry, in ms. It doubles with each retry. */
const FIRST_WAIT_MS = 300;

/** The statuses after which a request is sent again, as after a lost connection. */
const TRANSIENT = [408, 429, 502, 503, 504];

/** Calls an operation: sends it, and retries it if that is of use and does no harm. */
export async function call(
  operation: Operation,
  input: object | undefined,
  options: Options,
): Promise<object> {
  const { timeout = TIMEOUT_MS, retries = RETRIES, signal, caller = {} } = options;
  const [method, , , effect] = operation;
  // Each attempt sends the same, also if the app changes its input meanwhile.
  const target = targetOf(operation, input);
  const idempotencyKey = effect === 'creates' ? (options.idempotencyKey ?? randomKey()) : undefined;
  const keyed = { ...options, idempotencyKey };
  let request: Request | undefined;
  const limit = timeLimit(timeout, signal, () => timedOut(timeout, request !== undefined));
  let attempts = 0;
  let retry = 0;
  let isRenewed = false;
  let isInDoubt = false;
  let failure: MarketplaceError | undefined;
  try {
    for (;;) {
      request = undefined;
      try {
        const mustRenew = failure?.status === 401;
        request = await limit.within(requestOf(operation, target, keyed, caller, mustRenew));
        attempts++;
        return await limit.within(send(request, options, limit.signal));
      } catch (error) {
        if (!(error instanceof MarketplaceError)) {
          if (failure === undefined || !isInDoubt || signal?.aborted) throw error;
          // There is no token for another attempt, but the caller must learn what an earlier one may have done.
          throw Object.assign(failure, { cause: error });
        }
        failure = error;
        isInDoubt ||= request !== undefined && method !== 'GET' && mayBeDone(error);
        error.attempts = attempts;
        error.mayHaveSucceeded = isInDoubt;
        if (error.status === 401 && request?.init.headers.Authorization && !isRenewed) {
          // The token may have been revoked, or the clock of this device be wrong. Nothing was done.
          isRenewed = true;
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

function timedOut(timeout: number, isSent: boolean): MarketplaceError {
  const seconds = timeout / 1000;
  return isSent
    ? new MarketplaceError(`The API did not respond within ${seconds} s.`)
    : new MarketplaceError(`There was no token within ${seconds} s.`, { code: 'no-token' });
}

/** Two calls of a user never have the same key. (React Native has no `crypto`.) */
function randomKey(): string {
  const random = () => Math.random().toString(36).slice(2);
  return `${Date.now().toString(36)}-${random()}${random()}`;
}

/** Whether a request that failed may have been carried out all the same. */
function mayBeDone({ status, code, cause }: MarketplaceError): boolean {
  if (code === 'no-response') return !NOT_SENT.test(systemCodeOf(cause));
  if (status === 408) return code !== 'request-timeout';
  if (status === 503) return code !== 'unavailable';
  return status < 400 || status >= 500;
}

/** What Node says if nothing was sent: there was no connection, or the server's certificate was refused. */
const NOT_SENT =
  /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$|CERT|_LEAF_/;

/** The code of the system's error, which Node's `fetch` has as the cause of its own. */
function systemCodeOf(error: unknown): string {
  const { cause } = (error ?? {}) as { readonly cause?: { readonly code?: unknown } };
  return String(cause?.code);
}

/** A random wait in ms, so that clients that failed at the same time do not return at the same time. */
function backoff(retry: number): number {
  return FIRST_WAIT_MS * 2 ** retry * (0.5 + Math.random() / 2);
}

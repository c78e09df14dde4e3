import { fetchAccessToken } from '../accessTokens.ts';
import { incomplete, notSent } from './errors.ts';

const SCOPE = 'https://www.googleapis.com/auth/datastore';

/** How long before it expires a token is replaced, in ms. The metadata server has a new one by then. */
const MARGIN_MS = 60_000;

/** A cached access token. */
interface CachedToken {
  readonly token: string;
  /** In ms of the monotonic clock. */
  readonly usableUntil: number;
}

let current: CachedToken | undefined;
let pending: Promise<CachedToken> | undefined;

/** The access token of the service account of this process. Concurrent callers share one fetch. */
export function accessToken(): string | Promise<string> {
  if (current !== undefined && performance.now() < current.usableUntil) return current.token;
  pending ??= fetchToken().finally(() => {
    pending = undefined;
  });
  return pending.then(({ token }) => token);
}

/** Forgets a token that Firestore has rejected, unless it was replaced already. */
export function discardToken(token: string): void {
  if (current?.token === token) current = undefined;
}

async function fetchToken(): Promise<CachedToken> {
  try {
    const { access_token: token, expires_in: seconds } = await fetchAccessToken(SCOPE);
    current = { token, usableUntil: performance.now() + seconds * 1000 - MARGIN_MS };
    return current;
  } catch (cause) {
    throw notSent(incomplete('No access token could be fetched.', cause));
  }
}

// On the platform the first request needs a token: it is fetched while the server starts.
const { K_SERVICE, FUNCTIONS_EMULATOR } = process.env;
if (K_SERVICE !== undefined && FUNCTIONS_EMULATOR !== 'true') {
  Promise.resolve(accessToken()).catch(() => undefined);
}

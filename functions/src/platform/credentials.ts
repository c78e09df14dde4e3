import { fetchAccessToken } from './accessTokens.ts';
import { SharedWork } from './sharedWork.ts';

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
const fetches = new SharedWork<string>();

/** The access token for Firestore of the service account of this process. Concurrent callers share one fetch. */
export function accessToken(): string | Promise<string> {
  if (current !== undefined && performance.now() < current.usableUntil) return current.token;
  return fetches.join('', fetchToken);
}

/** Forgets a token that Firestore has rejected, unless it was replaced already. */
export function discardToken(token: string): void {
  if (current?.token === token) current = undefined;
}

async function fetchToken(): Promise<string> {
  const { access_token: token, expires_in: seconds } = await fetchAccessToken(SCOPE);
  current = { token, usableUntil: performance.now() + seconds * 1000 - MARGIN_MS };
  return token;
}

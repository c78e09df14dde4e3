import { GoogleAuth, type AuthClient } from 'google-auth-library';
import { withinLimit } from '../timeLimit.ts';
import { FirestoreError } from './errors.ts';

const SCOPE = 'https://www.googleapis.com/auth/datastore';

/** How long fetching an access token may take, in ms. After that the next caller starts a new fetch. */
const FETCH_MS = 5_000;
/** How long before it expires a token is replaced, in ms. The metadata server has a new one by then. */
const MARGIN_MS = 60_000;

/** An OAuth access token. */
interface AccessToken {
  readonly token: string;
  /** In ms since the epoch. */
  readonly usableUntil: number;
}

let current: AccessToken | undefined;
let pending: Promise<AccessToken> | undefined;
let client: Promise<AuthClient> | undefined;

/** The access token of the service account of this process. Concurrent callers share one fetch. */
export function accessToken(): string | Promise<string> {
  if (current !== undefined && Date.now() < current.usableUntil) return current.token;
  pending ??= fetchInTime().finally(() => {
    pending = undefined;
  });
  return pending.then(({ token }) => token);
}

/** Forgets a token that Firestore has rejected, unless it was replaced already. */
export function discardToken(token: string): void {
  if (current?.token !== token) return;
  current = undefined;
  // The library caches the token as well, and has no call to clear its cache.
  client = undefined;
}

async function fetchInTime(): Promise<AccessToken> {
  try {
    return await withinLimit(FETCH_MS, fetchToken());
  } catch (cause) {
    client = undefined;
    throw new FirestoreError('UNAVAILABLE', 'No access token could be fetched.', { cause });
  }
}

async function fetchToken(): Promise<AccessToken> {
  client ??= new GoogleAuth({ scopes: SCOPE }).getClient();
  const authClient = await client;
  const { token } = await authClient.getAccessToken();
  if (typeof token !== 'string' || token === '') throw new Error('The token is empty.');
  const end = authClient.credentials.expiry_date ?? Date.now() + 2 * MARGIN_MS;
  current = { token, usableUntil: end - MARGIN_MS };
  return current;
}

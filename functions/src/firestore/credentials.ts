import { GoogleAuth, type AuthClient } from 'google-auth-library';
import { FirestoreError } from './errors.ts';

const SCOPE = 'https://www.googleapis.com/auth/datastore';

/** How long a new access token may take, in ms: whoever comes after that starts anew. */
const FETCH_MS = 5_000;
/** How long before its end a token is no longer used, in ms. The metadata server has a new one by then. */
const MARGIN_MS = 60_000;

/** An OAuth access token, and until when it is used, in ms since the epoch. */
interface AccessToken {
  readonly token: string;
  readonly usableUntil: number;
}

let current: AccessToken | undefined;
let pending: Promise<AccessToken> | undefined;
let client: Promise<AuthClient> | undefined;

/** The access token of the account that the process runs as. Callers at once share one request for it. */
export function accessToken(): string | Promise<string> {
  if (current !== undefined && Date.now() < current.usableUntil) return current.token;
  pending ??= within(FETCH_MS, fetchToken()).finally(() => {
    pending = undefined;
  });
  return pending.then(({ token }) => token);
}

/** Gives up a token that Firestore has refused; a newer one stays. */
export function discardToken(token: string): void {
  if (current?.token !== token) return;
  current = undefined;
  // The library caches the token, too, and has no call to give it up.
  client = undefined;
}

async function fetchToken(): Promise<AccessToken> {
  client ??= new GoogleAuth({ scopes: SCOPE }).getClient();
  const asked = await client;
  const { token } = await asked.getAccessToken();
  if (typeof token !== 'string' || token === '') throw new Error('The token is empty.');
  const end = asked.credentials.expiry_date ?? Date.now() + 2 * MARGIN_MS;
  current = { token, usableUntil: end - MARGIN_MS };
  return current;
}

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`No access token within ${ms} ms.`));
    }, ms);
  });
  try {
    return await Promise.race([work, late]);
  } catch (cause) {
    client = undefined;
    throw new FirestoreError('UNAVAILABLE', 'There is no access token.', { cause });
  } finally {
    clearTimeout(timer);
  }
}

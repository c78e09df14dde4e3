/** The tokens of a call, and the check that they belong to one user. */
import { MarketplaceError } from './error.ts';
import type { Operation, HttpRequest } from './request.ts';
import type { Caller, MarketplaceOptions, TokenSource } from './types.ts';

/** The longest wait for an App Check token, in ms. */
const APP_CHECK_TIMEOUT_MS = 5_000;

/** The digits of base64url, by their values. */
const BASE64URL_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Adds the tokens of a call to the headers of its request. Throws `user-changed` if the ID token
 * belongs to another user than the earlier tokens of the caller.
 */
export async function setAuthHeaders(
  { headers }: HttpRequest,
  { access }: Operation,
  { token, appCheckToken }: MarketplaceOptions,
  caller: Caller,
  forceRefresh: boolean,
): Promise<void> {
  const idToken = access === 'signedIn' ? await token?.(forceRefresh) : undefined;
  if (access === 'signedIn') assertSameUser(caller, idToken);
  const appToken = appCheckToken && (await tryGetAppCheckToken(appCheckToken));
  if (idToken) headers.Authorization = `Bearer ${idToken}`;
  if (appToken) headers['X-Firebase-AppCheck'] = appToken;
}

/**
 * Returns an App Check token; `undefined` if there is none in time, or if Firebase fails to get one, as offline. The API
 * decides whether it requires a token.
 */
async function tryGetAppCheckToken(appCheckToken: TokenSource): Promise<string | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, APP_CHECK_TIMEOUT_MS, undefined);
  });
  try {
    return await Promise.race([appCheckToken(), timeout]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

function assertSameUser(caller: Caller, idToken: string | undefined): void {
  const sub = idToken ? readJwtSubject(idToken) : undefined;
  if (sub !== undefined && !('sub' in caller)) caller.sub = sub;
  if (sub === caller.sub) return;
  throw new MarketplaceError('The user who made this call is no longer signed in.', {
    code: 'user-changed',
  });
}

/**
 * Reads the `sub` claim of an ID token; `undefined` if the token is not a JWT. Decoded by hand,
 * because older versions of React Native lack `atob`. Non-ASCII characters are not decoded: the
 * result is only compared with other results.
 */
function readJwtSubject(token: string): string | undefined {
  const [, payload = ''] = token.split('.');
  const bits = Array.from(payload, (digit) =>
    BASE64URL_ALPHABET.indexOf(digit).toString(2).padStart(6, '0'),
  );
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  const text = String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 2)));
  try {
    return (JSON.parse(text) as { readonly sub?: string }).sub;
  } catch {
    return undefined;
  }
}

/** Verifies ID tokens and App Check tokens with the Admin SDK. */
import { getApps, initializeApp, type App } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import { unavailableError } from '../declaration/errors.ts';
import { createMetadataTokenSource } from '../runtime/metadataTokens.ts';
import { getProjectId } from '../runtime/environment.ts';
import { createTimeoutAgent } from './timeoutAgent.ts';

/** Not the default app, which other functions of the project may create. */
const APP_NAME = 'auth';
/** Accepted by the API of Firebase Auth, which is only called for revocation checks. */
const accessTokens = createMetadataTokenSource('https://www.googleapis.com/auth/cloud-platform');
/**
 * Credentials of this process's service account. Tokens are reported to expire after 60 s, so that
 * the SDK does not cache them: `accessTokens` does.
 */
const credential = {
  getAccessToken: async () => ({ access_token: await accessTokens.get(), expires_in: 60 }),
};
/** Forgets the current access token, which Google has rejected. */
export async function discardAccessToken(): Promise<void> {
  accessTokens.discard(await accessTokens.get());
}

/** A JWT: three parts in base64url. */
const JWT = /^([\w-]+)\.[\w-]+\.[\w-]+$/;
/**
 * The start of the SDK's messages about Google's public keys that it could not fetch. Such errors have the same code as
 * errors about invalid tokens. Other messages quote the token, so only the start of a message is checked.
 */
const KEY_FETCH_FAILED =
  /^Error (while making request|fetching public keys|fetching Json Web Keys)/;

/** Returns the Firebase app of this process. The app caches Google's public keys. */
export function getFirebaseApp(): App {
  const existingApp = getApps().find(({ name }) => name === APP_NAME);
  if (existingApp) return existingApp;
  const options = { projectId: getProjectId(), credential };
  // The agent only supports HTTPS, and the emulator only HTTP.
  const agent = isAuthEmulator() ? {} : { httpAgent: createTimeoutAgent() };
  return initializeApp({ ...options, ...agent }, APP_NAME);
}

/** Loads the modules of the SDK that verify ID tokens. */
export function preloadAuth(): void {
  getAuth(getFirebaseApp());
}

export function isAuthEmulator(): boolean {
  return process.env.FIREBASE_AUTH_EMULATOR_HOST !== undefined;
}

/**
 * Returns whether a token is a JWT with the header that Google uses: RS256 and a key ID. The SDK does not
 * check this itself: it tries every key for an empty key ID, and crashes for a key ID that is not a
 * string.
 */
export function hasGoogleJwtHeader(token: string): boolean {
  const [, header = ''] = JWT.exec(token) ?? [];
  const { alg, kid } = decodeTokenPart(header);
  return alg === 'RS256' && typeof kid === 'string' && kid !== '';
}

/**
 * Returns whether the claims of an ID token name a tenant of Identity Platform. Checked before the token is verified,
 * because the Auth emulator rejects such a token with the error of an unknown user.
 */
export function hasTenant(token: string): boolean {
  const [, payload = ''] = token.split('.');
  const { firebase } = decodeTokenPart(payload);
  return typeof firebase === 'object' && firebase !== null && 'tenant' in firebase;
}

/** Decodes the JSON object in a part of a token. Returns an empty object if there is none. */
function decodeTokenPart(part: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** A type of token: each has its own public keys. */
type TokenType = 'idToken' | 'appCheck';

/** The running verification of each type of token. It rejects if Google's public keys cannot be fetched. */
const verifications = new Map<TokenType, Promise<unknown>>();

/**
 * Verifies a token with the SDK; undefined if it is invalid. Throws `unavailable` if Google's public keys cannot be
 * fetched: an outage at Google must not sign everyone out.
 *
 * One verification of a type runs at a time, because it may fetch the keys; with cached keys it waits for nothing.
 * Verifications that wait for one that cannot fetch the keys fail with it.
 */
export async function verifyClaims<Claims>(
  type: TokenType,
  verify: (app: App) => Promise<Claims>,
): Promise<Claims | undefined> {
  // The Auth emulator has no keys. The SDK asks it about each token.
  if (isAuthEmulator()) return runVerification(verify);
  for (let other = verifications.get(type); other; other = verifications.get(type)) {
    await other;
  }
  const verification = runVerification(verify);
  verifications.set(type, verification);
  try {
    return await verification;
  } finally {
    verifications.delete(type);
  }
}

async function runVerification<Claims>(
  verify: (app: App) => Promise<Claims>,
): Promise<Claims | undefined> {
  const app = getFirebaseApp();
  try {
    return await verify(app);
  } catch (error) {
    if (error instanceof Error && KEY_FETCH_FAILED.test(error.message)) {
      throw unavailableError(error);
    }
    return undefined;
  }
}

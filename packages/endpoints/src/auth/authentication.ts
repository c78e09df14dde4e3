import { hash } from 'node:crypto';
import type { FirebaseError } from 'firebase-admin';
import { getAuth, type UserRecord } from 'firebase-admin/auth';
import { HttpsError, type Request } from 'firebase-functions/https';
import { unavailable } from '../errors.ts';
import { isDocumentId } from '../ids.ts';
import { boundedCache } from '../boundedCache.ts';
import { firebaseApp, looksSigned, usesEmulator, validClaims } from './tokens.ts';

/** The signed-in user, from a verified Firebase ID token. */
export interface Caller {
  readonly uid: string;
}

/** A verified sign-in, with times in ms since the epoch. */
export interface SignIn extends Caller {
  readonly signedInAt: number;
  readonly expiresAt: number;
}

/** Verified tokens by digest: verifying is among the slowest steps of a request. */
const verifiedTokens = boundedCache<SignIn>(10_000);

/**
 * Verifies the request's bearer token and returns its user. Throws `unauthenticated` for a missing or invalid token,
 * and `unavailable` if tokens cannot be verified.
 */
export async function authenticate(request: Request): Promise<SignIn> {
  rejectUnsignedTokens();
  const token = bearerToken(request.headers.authorization);
  const digest = hash('sha256', token, 'base64');
  const known = verifiedTokens.get(digest);
  if (known && Date.now() < known.expiresAt) return known;
  const verifiedToken = await verify(token);
  // The SDK asks the Auth emulator each time whether a token is revoked.
  if (!usesEmulator()) verifiedTokens.set(digest, verifiedToken);
  return verifiedToken;
}

/**
 * Asks Firebase Auth whether a sign-in is still valid, which costs a call to Google. Throws `unauthenticated` if the
 * account is disabled or deleted or its tokens were revoked, and `unavailable` if Firebase Auth does not respond. If the
 * service account has no permission to ask, it throws an error for the log.
 */
export async function requireValidSignIn({
  uid,
  signedInAt,
}: Omit<SignIn, 'expiresAt'>): Promise<void> {
  const { disabled, tokensValidAfterTime } = await accountOf(uid);
  // An unparsable date compares as false, so the token counts as revoked.
  const isRevoked =
    tokensValidAfterTime !== undefined && !(signedInAt >= Date.parse(tokensValidAfterTime));
  if (disabled || isRevoked) throw invalidToken();
}

async function verify(token: string): Promise<SignIn> {
  const claims =
    usesEmulator() || looksSigned(token)
      ? await validClaims((app) => getAuth(app).verifyIdToken(token))
      : undefined;
  // The SDK accepts tokens without a subject, and subjects that cannot be document ids.
  const uid: unknown = claims?.uid;
  if (claims === undefined || typeof uid !== 'string' || !isDocumentId(uid)) throw invalidToken();
  return { uid, signedInAt: claims.auth_time * 1000, expiresAt: claims.exp * 1000 };
}

async function accountOf(uid: string): Promise<UserRecord> {
  try {
    return await getAuth(firebaseApp()).getUser(uid);
  } catch (error) {
    const { code, httpResponse } = error as Partial<FirebaseError>;
    if (code === 'auth/user-not-found') throw invalidToken();
    if (httpResponse?.status === 403) {
      throw new Error(
        'Firebase Auth refused to look up an account. CHECK_REVOKED requires that the service account of this function has the role roles/firebaseauth.viewer.',
        { cause: error },
      );
    }
    throw unavailable(error);
  }
}

/** While this variable is set, the SDK accepts unsigned tokens, which anyone can forge. */
function rejectUnsignedTokens(): void {
  if (usesEmulator() && process.env.FUNCTIONS_EMULATOR !== 'true') {
    throw unavailable(
      new Error(
        'FIREBASE_AUTH_EMULATOR_HOST is set outside the emulator: all tokens are rejected.',
      ),
    );
  }
}

function bearerToken(header: string | undefined): string {
  const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(header ?? '')?.[1];
  if (token === undefined) {
    throw new HttpsError(
      'unauthenticated',
      'Sign in first: the Authorization header must be "Bearer" followed by a Firebase ID token.',
    );
  }
  return token;
}

function invalidToken(): HttpsError {
  return new HttpsError('unauthenticated', 'The ID token is invalid or expired. Sign in again.');
}

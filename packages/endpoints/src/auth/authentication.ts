import { hash } from 'node:crypto';
import type { FirebaseError } from 'firebase-admin';
import { getAuth, type UserRecord } from 'firebase-admin/auth';
import type { Request } from 'firebase-functions/https';
import type { Caller } from '../declaration/declaration.ts';
import {
  unauthenticatedError,
  unavailableError,
  type ServiceError,
} from '../declaration/errors.ts';
import { isDocumentId } from '../schemas/documentIds.ts';
import { isFunctionsEmulator } from '../runtime/environment.ts';
import { createLruCache } from '../runtime/lruCache.ts';
import {
  discardAccessToken,
  getFirebaseApp,
  hasGoogleJwtHeader,
  hasTenant,
  isAuthEmulator,
  verifyClaims,
} from './adminSdk.ts';

/** A verified sign-in, with times in ms since the epoch. */
export interface VerifiedIdToken extends Caller {
  readonly signedInAt: number;
  readonly expiresAt: number;
}

/** Verified tokens by digest. Verification is among the slowest steps of a request. */
const verifiedTokens = createLruCache<VerifiedIdToken>(10_000);

/**
 * Verifies the request's bearer token and returns its user. Throws `unauthenticated` for a missing or invalid token,
 * and `unavailable` if tokens cannot be verified.
 */
export async function authenticate(request: Request): Promise<VerifiedIdToken> {
  assertTokensAreSigned();
  const token = parseBearerToken(request.headers.authorization);
  const digest = hash('sha256', token, 'base64');
  const cached = verifiedTokens.get(digest);
  if (cached && Date.now() < cached.expiresAt) return cached;
  const verifiedToken = await verifyIdToken(token);
  // With the Auth emulator, the SDK checks at each verification whether the token is revoked.
  if (!isAuthEmulator()) verifiedTokens.set(digest, verifiedToken);
  return verifiedToken;
}

/**
 * Asks Firebase Auth whether a sign-in is still valid, which costs a call to Google. Throws `unauthenticated` if the
 * account is disabled or deleted or its tokens were revoked, and `unavailable` if Firebase Auth does not respond. If the
 * service account has no permission to ask, it throws an error for the log.
 */
export async function assertNotRevoked({
  uid,
  signedInAt,
}: Omit<VerifiedIdToken, 'expiresAt'>): Promise<void> {
  const { disabled, tokensValidAfterTime } = await lookUpAccount(uid);
  // The SDK omits a time that is no number. One that cannot be parsed compares as false: the token counts as revoked.
  const isRevoked =
    tokensValidAfterTime !== undefined && !(signedInAt >= Date.parse(tokensValidAfterTime));
  if (disabled || isRevoked) throw invalidTokenError();
}

async function verifyIdToken(token: string): Promise<VerifiedIdToken> {
  if (hasTenant(token)) {
    throw unauthenticatedError(
      'ID tokens of Identity Platform tenants are not supported. Sign in without a tenant.',
    );
  }
  const claims =
    isAuthEmulator() || hasGoogleJwtHeader(token)
      ? await verifyClaims('idToken', (app) => getAuth(app).verifyIdToken(token))
      : undefined;
  // The SDK accepts tokens without a subject, and subjects that are not document IDs.
  const uid: unknown = claims?.uid;
  if (claims === undefined || typeof uid !== 'string' || !isDocumentId(uid)) {
    throw invalidTokenError();
  }
  return { uid, signedInAt: claims.auth_time * 1000, expiresAt: claims.exp * 1000 };
}

async function lookUpAccount(uid: string): Promise<UserRecord> {
  try {
    return await getUser(uid);
  } catch (error) {
    const { code, httpResponse } = error as Partial<FirebaseError>;
    if (code === 'auth/user-not-found') throw invalidTokenError();
    if (httpResponse?.status === 403) {
      throw new Error(
        'Firebase Auth denied the lookup of an account. CHECK_REVOKED requires that the service account of this function has the role roles/firebaseauth.viewer.',
        { cause: error },
      );
    }
    throw unavailableError(error);
  }
}

/** Looks up an account, once more with a new access token if Google rejects the current one. */
async function getUser(uid: string): Promise<UserRecord> {
  const auth = getAuth(getFirebaseApp());
  try {
    return await auth.getUser(uid);
  } catch (error) {
    if ((error as Partial<FirebaseError>).httpResponse?.status !== 401) throw error;
    await discardAccessToken();
    return auth.getUser(uid);
  }
}

/** Throws if the SDK would accept unsigned tokens, which anyone can forge, outside the emulator. */
function assertTokensAreSigned(): void {
  if (isAuthEmulator() && !isFunctionsEmulator()) {
    throw unavailableError(
      new Error(
        'FIREBASE_AUTH_EMULATOR_HOST is set outside the emulator: all tokens are rejected.',
      ),
    );
  }
}

function parseBearerToken(header: string | undefined): string {
  const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(header ?? '')?.[1];
  if (token === undefined) {
    throw unauthenticatedError(
      'Sign in first: the Authorization header must be "Bearer" followed by a Firebase ID token.',
    );
  }
  return token;
}

function invalidTokenError(): ServiceError {
  return unauthenticatedError('The ID token is invalid or expired. Sign in again.');
}

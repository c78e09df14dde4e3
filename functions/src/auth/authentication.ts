import { createPublicKey, hash } from 'node:crypto';
import { getAuth } from 'firebase-admin/auth';
import { HttpsError, type Request } from 'firebase-functions/https';
import { requireValidSignIn, verifyEmulatorToken, type SignIn } from './accounts.ts';
import { boundedCache } from '../platform/boundedCache.ts';
import { isDocumentId } from '../fields.ts';
import { projectId } from '../platform/project.ts';
import { unavailable } from '../errors.ts';
import { decodedToken } from './tokenShape.ts';
import { BadTokenError, tokenVerifier } from './tokenVerifier.ts';

/** The signed-in user, from a verified Firebase ID token. */
export interface Caller {
  readonly uid: string;
}

/** https://firebase.google.com/docs/auth/admin/verify-id-tokens#verify_id_tokens_using_a_third-party_jwt_library */
const verifyToken = tokenVerifier({
  name: 'ID tokens',
  keysUrl:
    'https://www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com',
  hasKeys: (document) => Object.values(Object(document) as object).some(isPem),
  isForProject: ({ iss, aud }) =>
    aud === projectId() && iss === `https://securetoken.google.com/${projectId()}`,
  verify: (app, token) => getAuth(app).verifyIdToken(token),
});

/**
 * Verifies the request's bearer token and returns its user. Throws `unauthenticated` for a missing or invalid token,
 * and `unavailable` if tokens cannot be verified.
 */
export async function authenticate(
  request: Request,
  { checkRevoked }: { readonly checkRevoked: boolean },
): Promise<Caller> {
  rejectUnsignedTokens();
  const token = bearerToken(request.headers.authorization);
  try {
    // The Auth emulator always checks for revocation, so its tokens are not cached.
    if (usesEmulator()) return signInOf(await verifiedEmulatorToken(token));
    const signIn = await verifiedSignIn(token);
    if (checkRevoked) await requireValidSignIn(signIn);
    return signIn;
  } catch (error) {
    if (!(error instanceof BadTokenError)) throw error;
    throw new HttpsError('unauthenticated', 'The ID token is invalid or expired. Sign in again.');
  }
}

/** A cached verification. It expires by the time of day, and by the monotonic clock if the other one is set back. */
interface VerifiedToken extends SignIn {
  /** In ms since the epoch. */
  readonly expiresAt: number;
  /** In ms of `performance.now()`. */
  readonly usableUntil: number;
}

/** Verified tokens by digest: verifying is among the slowest steps of a request. */
const verifiedTokens = boundedCache<VerifiedToken>(10_000);

async function verifiedSignIn(token: string): Promise<SignIn> {
  const digest = hash('sha256', token, 'base64');
  const known = verifiedTokens.get(digest);
  if (
    known !== undefined &&
    Date.now() < known.expiresAt &&
    performance.now() < known.usableUntil
  ) {
    return known;
  }
  const claims = await verifyToken(token);
  const expiresAt = claims.exp * 1000;
  const usableUntil = performance.now() + expiresAt - Date.now();
  const verified = { ...signInOf(claims), expiresAt, usableUntil };
  verifiedTokens.set(digest, verified);
  return verified;
}

async function verifiedEmulatorToken(token: string) {
  if (decodedToken(token) === undefined) throw new BadTokenError();
  return verifyEmulatorToken(token);
}

function signInOf({
  uid,
  auth_time: seconds,
}: {
  readonly uid: unknown;
  readonly auth_time: number;
}): SignIn {
  // The SDK accepts tokens without a subject, and subjects that cannot be document ids.
  if (typeof uid !== 'string' || !isDocumentId(uid)) throw new BadTokenError();
  return { uid, signedInAt: seconds * 1000 };
}

function usesEmulator(): boolean {
  return process.env.FIREBASE_AUTH_EMULATOR_HOST !== undefined;
}

/** With this variable set the SDK accepts unsigned tokens, which anybody can make. */
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

function isPem(key: unknown): boolean {
  try {
    return typeof key === 'string' && createPublicKey(key).type === 'public';
  } catch {
    return false;
  }
}

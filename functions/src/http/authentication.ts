import { hash } from 'node:crypto';
import { getAuth } from 'firebase-admin/auth';
import { HttpsError, type Request } from 'firebase-functions/https';
import { boundedCache } from './boundedCache.ts';
import { isDocumentId } from '../fields.ts';
import { unavailable } from '../platform/errors.ts';
import { BadTokenError, tokenVerifier, type Failure } from './tokenVerifier.ts';

/** The signed-in user, from a verified Firebase ID token. */
export interface Caller {
  readonly uid: string;
}

const verifyToken = tokenVerifier(
  'ID tokens',
  (app, token) => getAuth(app).verifyIdToken(token),
  failureOf,
);
/**
 * Also asks Firebase Auth whether the token is revoked or the account disabled, which costs a call to Google each time.
 */
const verifyUnrevoked = tokenVerifier(
  'ID tokens',
  (app, token) => getAuth(app).verifyIdToken(token, true),
  failureOf,
);

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
  // The Auth emulator always checks for revocation, so its tokens are not cached.
  if (checkRevoked || process.env.FIREBASE_AUTH_EMULATOR_HOST !== undefined) {
    return callerOf(await claimsOf(token, checkRevoked ? verifyUnrevoked : verifyToken));
  }
  const digest = hash('sha256', token, 'base64');
  const known = verifiedTokens.get(digest);
  if (known !== undefined && Date.now() < known.expiresAt) return known.caller;
  const claims = await claimsOf(token, verifyToken);
  const caller = callerOf(claims);
  verifiedTokens.set(digest, { caller, expiresAt: claims.exp * 1000 });
  return caller;
}

/** A cached verification. */
interface VerifiedToken {
  readonly caller: Caller;
  /** In ms since the epoch. */
  readonly expiresAt: number;
}

/** Verified tokens by digest: verifying is among the slowest steps of a request. */
const verifiedTokens = boundedCache<VerifiedToken>(10_000);

function callerOf({ uid }: { readonly uid: unknown }): Caller {
  // The SDK accepts tokens without a subject, and subjects that cannot be document ids.
  if (typeof uid !== 'string' || !isDocumentId(uid)) throw badToken();
  return { uid };
}

/** With this variable set the SDK accepts unsigned tokens, which anybody can make. */
function rejectUnsignedTokens(): void {
  const { FIREBASE_AUTH_EMULATOR_HOST, FUNCTIONS_EMULATOR } = process.env;
  if (FIREBASE_AUTH_EMULATOR_HOST !== undefined && FUNCTIONS_EMULATOR !== 'true') {
    throw unavailable(
      new Error(
        'FIREBASE_AUTH_EMULATOR_HOST is set outside the emulator: all tokens are rejected.',
      ),
    );
  }
}

function bearerToken(header: string | undefined): string {
  const [, token] = /^Bearer +([\w.~+/=-]+) *$/i.exec(header ?? '') ?? [];
  if (token === undefined) {
    throw new HttpsError(
      'unauthenticated',
      'Sign in first: the Authorization header must be "Bearer" followed by a Firebase ID token.',
    );
  }
  return token;
}

async function claimsOf<Claims>(
  token: string,
  verify: (token: string) => Promise<Claims>,
): Promise<Claims> {
  try {
    return await verify(token);
  } catch (error) {
    throw error instanceof BadTokenError ? badToken() : error;
  }
}

const BAD_TOKEN_CODES: ReadonlySet<unknown> = new Set([
  'auth/id-token-expired',
  'auth/id-token-revoked',
  'auth/user-disabled',
  'auth/user-not-found',
]);
/** How messages of `firebase-admin` 13.10 about an invalid token start if the code is `auth/argument-error`. */
const BAD_TOKEN_MESSAGES =
  /^(Decoding Firebase ID token failed|Firebase ID token has|verifyIdToken\(\) expects|First argument to)/;
const UNKNOWN_KEY_MESSAGE = 'Firebase ID token has "kid" claim which does not correspond';

/**
 * Why a verification failed. The SDK uses the same code for most invalid tokens and for a failed fetch of keys, so the
 * message decides. For a payload that is not an object it throws a SyntaxError or TypeError.
 */
function failureOf(error: unknown): Failure {
  if (!(error instanceof Error) || !('code' in error)) {
    return error instanceof SyntaxError || error instanceof TypeError ? 'badToken' : 'keys';
  }
  const { code, message } = error;
  if (BAD_TOKEN_CODES.has(code)) return 'badToken';
  if (code !== 'auth/argument-error') return 'keys';
  if (message.startsWith(UNKNOWN_KEY_MESSAGE)) return 'unknownKey';
  return BAD_TOKEN_MESSAGES.test(message) ? 'badToken' : 'keys';
}

function badToken(): HttpsError {
  return new HttpsError('unauthenticated', 'The ID token is invalid or expired. Sign in again.');
}

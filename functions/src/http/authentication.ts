import { createHash } from 'node:crypto';
import { getAuth } from 'firebase-admin/auth';
import { HttpsError, type Request } from 'firebase-functions/https';
import { LRUCache } from 'lru-cache';
import { isDocumentId } from '../fields.ts';
import { unavailable } from './errors.ts';
import { BadTokenError, tokenVerifier, type Failure } from './tokenVerifier.ts';

/** Who calls, as a verified Firebase ID token says. */
export interface Caller {
  readonly uid: string;
}

const verifyToken = tokenVerifier(
  'ID tokens',
  (app, token) => getAuth(app).verifyIdToken(token),
  failureOf,
);
/** Also asks Firebase Auth whether the token was revoked or the account disabled: a call to Google each time. */
const verifyUnrevoked = tokenVerifier(
  'ID tokens',
  (app, token) => getAuth(app).verifyIdToken(token, true),
  failureOf,
);

/**
 * The caller whom the request's bearer token names. Throws `unauthenticated` for every kind of bad token, and
 * `unavailable` while tokens cannot be verified.
 */
export async function authenticate(
  request: Request,
  { checkRevoked }: { readonly checkRevoked: boolean },
): Promise<Caller> {
  requireTrustworthyProcess();
  const token = bearerToken(request.headers.authorization);
  // The Auth emulator checks for revocation each time, whatever is asked.
  if (checkRevoked || process.env.FIREBASE_AUTH_EMULATOR_HOST !== undefined) {
    return callerOf(await claimsOf(token, checkRevoked ? verifyUnrevoked : verifyToken));
  }
  const digest = createHash('sha256').update(token).digest('base64');
  const known = verifiedTokens.get(digest);
  if (known !== undefined && Date.now() < known.expiresAt) return known.caller;
  const claims = await claimsOf(token, verifyToken);
  const caller = callerOf(claims);
  verifiedTokens.set(digest, { caller, expiresAt: claims.exp * 1000 });
  return caller;
}

/** A token that was verified here. */
interface VerifiedToken {
  readonly caller: Caller;
  /** In ms since the epoch. */
  readonly expiresAt: number;
}

/** The tokens that were verified here, by their digests: verifying takes longer than most else that a request needs. */
const verifiedTokens = new LRUCache<string, VerifiedToken>({ max: 10_000 });

function callerOf({ uid }: { readonly uid: unknown }): Caller {
  // A token without a subject is verified; so is one whose subject no document can have as its id.
  if (typeof uid !== 'string' || !isDocumentId(uid)) throw badToken();
  return { uid };
}

/** With this variable set the SDK takes unsigned tokens: outside the emulator, anybody's. */
function requireTrustworthyProcess(): void {
  const { FIREBASE_AUTH_EMULATOR_HOST, FUNCTIONS_EMULATOR } = process.env;
  if (FIREBASE_AUTH_EMULATOR_HOST !== undefined && FUNCTIONS_EMULATOR !== 'true') {
    throw unavailable(
      new Error('FIREBASE_AUTH_EMULATOR_HOST is set outside the emulator: nobody can sign in.'),
    );
  }
}

function bearerToken(header: string | undefined): string {
  const [, token] = /^Bearer +([\w.~+/=-]+) *$/i.exec(header ?? '') ?? [];
  if (token === undefined) {
    throw new HttpsError(
      'unauthenticated',
      'Sign in first: the header Authorization must be "Bearer" and a Firebase ID token.',
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
/** How `firebase-admin` 13.10 begins what it says of a bad token under `auth/argument-error`. */
const BAD_TOKEN_MESSAGES =
  /^(Decoding Firebase ID token failed|Firebase ID token has|verifyIdToken\(\) expects|First argument to)/;
const UNKNOWN_KEY_MESSAGE = 'Firebase ID token has "kid" claim which does not correspond';

/**
 * Whether it is the token that is at fault. What the SDK says of a failed fetch of keys has the same code as what it says
 * of most bad tokens; and for a payload that is no object it throws JavaScript's own errors.
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

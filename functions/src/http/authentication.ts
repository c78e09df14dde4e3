import { createHash } from 'node:crypto';
import { getAuth, type DecodedIdToken } from 'firebase-admin/auth';
import { logger } from 'firebase-functions/logger';
import { HttpsError, type Request } from 'firebase-functions/https';
import { LRUCache } from 'lru-cache';
import { isDocumentId } from '../documentId.ts';
import { firebaseApp } from '../firebase.ts';
import { unavailable } from './errors.ts';

/** Who calls, as a verified Firebase ID token says. */
export interface Caller {
  readonly uid: string;
}

/**
 * The caller whom the request's bearer token names. Throws `unauthenticated` for every kind of bad token, and
 * `unavailable` while tokens cannot be checked: an outage of Google's must not sign everybody out.
 */
export async function authenticated(
  request: Request,
  options: { checkRevoked: boolean },
): Promise<Caller> {
  requireTrustworthyProcess();
  const token = bearerToken(request.headers.authorization);
  // The Auth emulator's tokens are checked for revocation each time, whatever is asked.
  if (options.checkRevoked || process.env.FIREBASE_AUTH_EMULATOR_HOST !== undefined) {
    return callerOf(await verified(token, options.checkRevoked));
  }
  const digest = createHash('sha256').update(token).digest('base64');
  const known = verifiedTokens.get(digest);
  if (known !== undefined && Date.now() < known.expiresAt) return known.caller;
  const decoded = await verified(token, false);
  const caller = callerOf(decoded);
  verifiedTokens.set(digest, { caller, expiresAt: decoded.exp * 1000 });
  return caller;
}

/** A token that was verified here. */
interface VerifiedToken {
  readonly caller: Caller;
  /** In ms since the epoch. */
  readonly expiresAt: number;
}

/**
 * The tokens that were verified here, by their digests: verifying costs more than all else that is done for a request
 * but Firestore's part.
 */
const verifiedTokens = new LRUCache<string, VerifiedToken>({ max: 10_000 });

function callerOf({ uid }: { readonly uid: unknown }): Caller {
  // A token without a subject verifies; so does one whose subject no document can have as its id.
  if (typeof uid !== 'string' || !isDocumentId(uid)) throw unauthenticated();
  return { uid };
}

/** With this variable set the SDK takes unsigned tokens: outside the emulator, anybody's. */
function requireTrustworthyProcess(): void {
  const { FIREBASE_AUTH_EMULATOR_HOST, FUNCTIONS_EMULATOR } = process.env;
  if (FIREBASE_AUTH_EMULATOR_HOST !== undefined && FUNCTIONS_EMULATOR !== 'true') {
    logger.error('FIREBASE_AUTH_EMULATOR_HOST is set outside the emulator: nobody can sign in.');
    throw unavailable();
  }
}

function bearerToken(header: string | undefined): string {
  const [, token] = /^Bearer +([\w.~+/=-]+) *$/i.exec(header ?? '') ?? [];
  if (token === undefined) {
    throw new HttpsError(
      'unauthenticated',
      'Sign in first: the header Authorization must hold "Bearer" and a Firebase ID token.',
    );
  }
  return token;
}

async function verified(token: string, checkRevoked: boolean): Promise<DecodedIdToken> {
  try {
    const decoded = await oneAtATime(() => getAuth(firebaseApp()).verifyIdToken(token));
    // Not within the turn taken above: this asks Google each time.
    return checkRevoked ? await getAuth(firebaseApp()).verifyIdToken(token, true) : decoded;
  } catch (error) {
    if (isBadToken(error)) throw unauthenticated();
    logger.error('ID tokens cannot be verified.', { reason: textOf(error) });
    throw unavailable();
  }
}

/** The verification that is under way, if any; resolves with whether tokens could be checked. */
let turn: Promise<boolean> | undefined;

/**
 * Verifies in turn. The SDK fetches Google's keys once for each call that finds none, however many are at it: now the
 * first fetches them, and the others find them. Those who waited for a turn that found no keys share its failure,
 * rather than to wait for one after the other.
 */
async function oneAtATime<Result>(verify: () => Promise<Result>): Promise<Result> {
  while (turn !== undefined) {
    if (!(await turn)) throw new Error('Another request could not fetch the keys.');
  }
  const work = verify();
  turn = work.then(
    () => true,
    (error: unknown) => isBadToken(error),
  );
  try {
    return await work;
  } finally {
    turn = undefined;
  }
}

const BAD_TOKEN_CODES: ReadonlySet<unknown> = new Set([
  'auth/id-token-expired',
  'auth/id-token-revoked',
  'auth/user-disabled',
  'auth/user-not-found',
]);
/** How `firebase-admin` 13.10 starts what it says of a bad token under `auth/argument-error`. */
const BAD_TOKEN_MESSAGES =
  /^(Decoding Firebase ID token failed|Firebase ID token has|verifyIdToken\(\) expects|First argument to)/;

/**
 * Whether it is the token that is at fault. What the SDK says of a failed fetch of keys has the same code as what
 * it says of most bad tokens; and for a payload that is no object it throws JavaScript's own errors.
 */
function isBadToken(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  if (code === null) return error instanceof SyntaxError || error instanceof TypeError;
  return (
    BAD_TOKEN_CODES.has(code) ||
    (code === 'auth/argument-error' && BAD_TOKEN_MESSAGES.test(textOf(error)))
  );
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function unauthenticated(): HttpsError {
  return new HttpsError(
    'unauthenticated',
    'The ID token is not valid, or no longer: sign in again and send a new one.',
  );
}

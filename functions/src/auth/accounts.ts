import { getAuth, type DecodedIdToken, type UserRecord } from 'firebase-admin/auth';
import { unavailable } from '../errors.ts';
import { firebaseApp } from './firebaseApp.ts';
import { withinLimit } from '../platform/timeLimit.ts';
import { BadTokenError } from './tokenVerifier.ts';

/** How long a lookup of an account may take, in ms. */
const LIMIT_MS = 5_000;

/** When a user signed in. */
export interface SignIn {
  readonly uid: string;
  /** In ms since the epoch. */
  readonly signedInAt: number;
}

/**
 * Asks Firebase Auth whether a sign-in is still valid, which costs a call to Google. Throws `BadTokenError` if the
 * account is disabled or deleted or its tokens were revoked, and `unavailable` if Firebase Auth does not respond. If the
 * service account has no permission to ask, it throws an error for the log.
 */
export async function requireValidSignIn({ uid, signedInAt }: SignIn): Promise<void> {
  const { disabled, tokensValidAfterTime } = await accountOf(uid);
  // Dates that cannot be compared count as revoked.
  const isRevoked =
    tokensValidAfterTime !== undefined && !(signedInAt >= Date.parse(tokensValidAfterTime));
  if (disabled || isRevoked) throw new BadTokenError();
}

/** Verifies a token of the Auth emulator, which is not signed. The SDK looks up its account, too. */
export async function verifyEmulatorToken(token: string): Promise<DecodedIdToken> {
  try {
    return await getAuth(firebaseApp()).verifyIdToken(token);
  } catch (error) {
    // The SDK's codes for requests that failed; all others are about the token or the account.
    throw codeOf(error).startsWith('app/') ? unavailable(error) : new BadTokenError();
  }
}

async function accountOf(uid: string): Promise<UserRecord> {
  try {
    return await withinLimit(LIMIT_MS, getAuth(firebaseApp()).getUser(uid));
  } catch (error) {
    if (codeOf(error) === 'auth/user-not-found') throw new BadTokenError();
    if (isRefusal(error)) {
      throw new Error(
        'Firebase Auth refused to look up an account. CHECK_REVOKED requires that the service account of this function has the role roles/firebaseauth.viewer.',
        { cause: error },
      );
    }
    throw unavailable(error);
  }
}

/** Whether Google has responded 403. For most responses the SDK has no code, and its message quotes them. */
function isRefusal(error: unknown): boolean {
  return codeOf(error) === 'auth/insufficient-permission' || /"code":403\b/.test(String(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

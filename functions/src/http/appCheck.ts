import { getAppCheck } from 'firebase-admin/app-check';
import { logger } from 'firebase-functions/logger';
import { HttpsError, type Request } from 'firebase-functions/https';
import { appCheck } from '../parameters.ts';
import { tokenVerifier, type Failure } from './tokenVerifier.ts';

/**
 * How messages of `firebase-admin` 13.10 about an invalid token start. Any other error means that it could not verify
 * the token.
 */
const BAD_TOKEN_MESSAGES = /^(Decoding App Check token failed|The provided App Check token)/;
const UNKNOWN_KEY_MESSAGE = 'The provided App Check token has "kid" claim';

const verifyToken = tokenVerifier(
  'App Check tokens',
  (app, token) => getAppCheck(app).verifyToken(token),
  failureOf,
);

/**
 * Checks the App Check token as the parameter says: not at all, with a warning in the log, or with an error. Throws
 * `permission-denied` for a missing or invalid token, and `unavailable` if tokens cannot be verified.
 */
export async function requireApp(request: Request): Promise<void> {
  const mode = appCheck.value();
  if (mode === 'off') return;
  const error = await tokenError(request.headers['x-firebase-appcheck']);
  if (error === undefined) return;
  if (mode === 'enforce') throw error;
  logger.warn('App Check would have rejected a request.', { code: error.code });
}

async function tokenError(token: string | string[] | undefined): Promise<HttpsError | undefined> {
  if (typeof token !== 'string' || token === '') return invalidAppToken();
  try {
    await verifyToken(token);
    return undefined;
  } catch (error) {
    return error instanceof HttpsError ? error : invalidAppToken();
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof SyntaxError || error instanceof TypeError) return 'badToken';
  const message = error instanceof Error ? error.message : '';
  if (message.startsWith(UNKNOWN_KEY_MESSAGE)) return 'unknownKey';
  return BAD_TOKEN_MESSAGES.test(message) ? 'badToken' : 'keys';
}

function invalidAppToken(): HttpsError {
  return new HttpsError(
    'permission-denied',
    'The X-Firebase-AppCheck header must be a valid App Check token.',
  );
}

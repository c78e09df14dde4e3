import { getAppCheck } from 'firebase-admin/app-check';
import { logger } from 'firebase-functions/logger';
import { HttpsError, type Request } from 'firebase-functions/https';
import { appCheck } from '../parameters.ts';
import { tokenVerifier, type Failure } from './tokenVerifier.ts';

/** How `firebase-admin` 13.10 begins what it says of a bad token; anything else means that it could not verify it. */
const BAD_TOKEN_MESSAGES = /^(Decoding App Check token failed|The provided App Check token)/;
const UNKNOWN_KEY_MESSAGE = 'The provided App Check token has "kid" claim';

const verifyToken = tokenVerifier(
  'App Check tokens',
  (app, token) => getAppCheck(app).verifyToken(token),
  failureOf,
);

/**
 * Asks Firebase App Check whether the caller is one of our apps, as the parameter says: not at all, for the log only, or
 * so that all others are refused. Throws `permission-denied` for those, and `unavailable` while tokens cannot be verified.
 */
export async function requireApp(request: Request): Promise<void> {
  const mode = appCheck.value();
  if (mode === 'off') return;
  const refusal = await refusalOf(request.headers['x-firebase-appcheck']);
  if (refusal === undefined) return;
  if (mode === 'enforce') throw refusal;
  logger.warn('App Check would have refused a request.', { code: refusal.code });
}

async function refusalOf(token: string | string[] | undefined): Promise<HttpsError | undefined> {
  if (typeof token !== 'string' || token === '') return notOneOfOurApps();
  try {
    await verifyToken(token);
    return undefined;
  } catch (error) {
    return error instanceof HttpsError ? error : notOneOfOurApps();
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof SyntaxError || error instanceof TypeError) return 'badToken';
  const message = error instanceof Error ? error.message : '';
  if (message.startsWith(UNKNOWN_KEY_MESSAGE)) return 'unknownKey';
  return BAD_TOKEN_MESSAGES.test(message) ? 'badToken' : 'keys';
}

function notOneOfOurApps(): HttpsError {
  return new HttpsError(
    'permission-denied',
    'The header X-Firebase-AppCheck must be a valid App Check token of one of our apps.',
  );
}

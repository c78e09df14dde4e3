import { getAppCheck } from 'firebase-admin/app-check';
import { logger } from 'firebase-functions/logger';
import { HttpsError, type Request } from 'firebase-functions/https';
import { firebaseApp } from '../firebase.ts';
import { appCheck } from '../parameters.ts';
import { unavailable } from './errors.ts';

/** How `firebase-admin` 13.10 starts what it says of a bad token; all else means that it could not check it. */
const BAD_TOKEN_MESSAGES = /^(Decoding App Check token failed|The provided App Check token)/;

/**
 * Asks Firebase App Check whether the caller is one of the apps, as the parameter has it: not at all, for the log only,
 * or so that all others are refused. Throws `unauthenticated` for those, and `unavailable` while tokens cannot be checked.
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
  if (typeof token !== 'string' || token === '') return notTheApp();
  try {
    await getAppCheck(firebaseApp()).verifyToken(token);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (
      BAD_TOKEN_MESSAGES.test(reason) ||
      error instanceof SyntaxError ||
      error instanceof TypeError
    )
      return notTheApp();
    logger.error('App Check tokens cannot be verified.', { reason });
    return unavailable();
  }
}

function notTheApp(): HttpsError {
  return new HttpsError(
    'unauthenticated',
    'The header X-Firebase-AppCheck must hold a valid App Check token of one of our apps.',
  );
}

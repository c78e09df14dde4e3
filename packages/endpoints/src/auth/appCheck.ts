import { getAppCheck } from 'firebase-admin/app-check';
import { logger } from 'firebase-functions/logger';
import type { Request } from 'firebase-functions/https';
import { ServiceError } from '../declaration/errors.ts';
import { hasGoogleJwtHeader, verifyClaims } from './adminSdk.ts';

/** Timeout of the verification in monitor mode, in ms. */
const MONITOR_TIMEOUT_MS = 300;

/**
 * Checks the App Check token. In monitor mode it only logs a warning; otherwise it throws: `app-check` for a missing or
 * invalid token, `unavailable` if tokens cannot be verified.
 */
export async function verifyAppCheck(request: Request, mode: 'monitor' | 'enforce'): Promise<void> {
  const verification = assertValidToken(String(request.headers['x-firebase-appcheck']));
  if (mode === 'enforce') return verification;
  const code = await Promise.race([
    verification.then(() => undefined, getErrorCode),
    waitForTimeout(),
  ]);
  if (code !== undefined) logger.warn('App Check would have rejected a request.', { code });
}

async function assertValidToken(token: string): Promise<void> {
  const claims = hasGoogleJwtHeader(token)
    ? await verifyClaims('appCheck', (app) => getAppCheck(app).verifyToken(token))
    : undefined;
  if (claims !== undefined) return;
  throw new ServiceError(
    'app-check',
    'The X-Firebase-AppCheck header must be a valid App Check token.',
  );
}

function getErrorCode(error: unknown): string {
  return error instanceof ServiceError ? error.code : 'unavailable';
}

/** Resolves with the code `unavailable` after the timeout. */
async function waitForTimeout(): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(resolve, MONITOR_TIMEOUT_MS, 'unavailable').unref();
  });
}

import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { getAppCheck } from 'firebase-admin/app-check';
import { logger } from 'firebase-functions/logger';
import type { Request } from 'firebase-functions/https';
import { appCheck } from '../parameters.ts';
import { HttpError } from '../errors.ts';
import { projectId } from '../platform/project.ts';
import { withinLimit } from '../platform/timeLimit.ts';
import { BadTokenError, tokenVerifier } from './tokenVerifier.ts';

/** How long a request waits for the keys in monitor mode, in ms. */
const MONITOR_LIMIT_MS = 300;
const ISSUER = 'https://firebaseappcheck.googleapis.com/';

/** https://firebase.google.com/docs/app-check/custom-resource-backend#verify_app_check_tokens */
const verifyToken = tokenVerifier({
  name: 'App Check tokens',
  keysUrl: 'https://firebaseappcheck.googleapis.com/v1/jwks',
  hasKeys: (document) => {
    const { keys } = Object(document) as { readonly keys?: unknown };
    return Array.isArray(keys) && keys.some(isJsonWebKey);
  },
  isForProject: ({ iss, aud }) =>
    typeof iss === 'string' &&
    iss.startsWith(ISSUER) &&
    Array.isArray(aud) &&
    aud.includes(`projects/${projectId()}`),
  verify: (app, token) => getAppCheck(app).verifyToken(token),
});

/**
 * Checks the App Check token as the parameter says: not at all, with a warning in the log, or with an error. Throws
 * `app-check` for a missing or invalid token, and `unavailable` if tokens cannot be verified.
 */
export async function requireApp(request: Request): Promise<void> {
  const mode = appCheck.value();
  if (mode === 'off') return;
  const checked = requireToken(request.headers['x-firebase-appcheck']);
  if (mode === 'enforce') return checked;
  try {
    await withinLimit(MONITOR_LIMIT_MS, checked);
  } catch (error) {
    logger.warn('App Check would have rejected a request.', {
      code: error instanceof HttpError ? error.code : 'unavailable',
    });
  }
}

async function requireToken(token: string | string[] | undefined): Promise<void> {
  try {
    await verifyToken(String(token));
  } catch (error) {
    if (!(error instanceof BadTokenError)) throw error;
    throw new HttpError(
      'app-check',
      'The X-Firebase-AppCheck header must be a valid App Check token.',
    );
  }
}

function isJsonWebKey(key: unknown): boolean {
  try {
    return createPublicKey({ key: key as JsonWebKey, format: 'jwk' }).type === 'public';
  } catch {
    return false;
  }
}

/** What ID tokens and App Check tokens have in common. The Admin SDK verifies both. */
import { getApps, initializeApp, type App } from 'firebase-admin/app';
import { metadataTokens } from '@tattoo-marketplace/firestore-rest';
import { unavailable } from '../errors.ts';
import { projectId } from '../platform/project.ts';
import { limitedAgent } from './limitedAgent.ts';

/** Not the default app, which other functions of the project may create. */
const APP_NAME = 'auth';
/** Accepted by the API of Firebase Auth, which is only called for revocation checks. */
const accessTokens = metadataTokens('https://www.googleapis.com/auth/cloud-platform');
/**
 * The service account of this process. We tell the SDK that tokens last 60 s, so it always asks us; `accessTokens` does the
 * caching.
 */
const credential = {
  getAccessToken: async () => ({ access_token: await accessTokens.get(), expires_in: 60 }),
};
/** Three parts of base64url. */
const SIGNED_TOKEN = /^([\w-]+)\.[\w-]+\.[\w-]+$/;
/**
 * How the SDK's messages begin if it could not fetch Google's public keys: such errors have the same code as those of
 * invalid tokens. Other messages quote the token, so only the beginning counts.
 */
const FETCH_FAILED = /^Error (while making request|fetching public keys|fetching Json Web Keys)/;

/** The Firebase app of this process. It caches Google's public keys. */
export function firebaseApp(): App {
  const existing = getApps().find(({ name }) => name === APP_NAME);
  if (existing) return existing;
  const options = { projectId: projectId(), credential };
  // The emulator speaks HTTP, for which the agent is not made.
  const agent = usesEmulator() ? {} : { httpAgent: limitedAgent() };
  return initializeApp({ ...options, ...agent }, APP_NAME);
}

export function usesEmulator(): boolean {
  return process.env.FIREBASE_AUTH_EMULATOR_HOST !== undefined;
}

/**
 * Whether a token has the form of those that Google signs. The SDK trusts the header: for an empty key id it tries all
 * keys, and a key id of another type makes it fail within a library.
 */
export function looksSigned(token: string): boolean {
  const [, header = ''] = SIGNED_TOKEN.exec(token) ?? [];
  try {
    const json = Buffer.from(header, 'base64url').toString();
    const { alg, kid } = JSON.parse(json) as Readonly<Record<string, unknown>>;
    return alg === 'RS256' && typeof kid === 'string' && kid !== '';
  } catch {
    return false;
  }
}

/**
 * Verifies a token with the SDK; undefined if it is invalid. Throws `unavailable` if Google's public keys cannot be
 * fetched: an outage at Google must not sign everyone out.
 */
export async function validClaims<Claims>(
  verify: (app: App) => Promise<Claims>,
): Promise<Claims | undefined> {
  const app = firebaseApp();
  try {
    return await verify(app);
  } catch (error) {
    if (error instanceof Error && FETCH_FAILED.test(error.message)) throw unavailable(error);
    return undefined;
  }
}

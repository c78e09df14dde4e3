import type { App } from 'firebase-admin/app';
import { deleteFirebaseApp, firebaseAppWithKeys } from './firebaseApp.ts';
import { fetchPublicKeys } from './publicKeys.ts';
import { sharedFetch } from '../platform/sharedFetch.ts';
import { canBeSigned, decodedToken, type JsonObject } from './tokenShape.ts';

/** The token itself is invalid. */
export class BadTokenError extends Error {}

/** A kind of token that Google signs. */
export interface TokenKind<Claims> {
  /** Its plural, for the log. */
  readonly name: string;
  /** Where Google publishes the public keys. */
  readonly keysUrl: string;
  /** Whether a document from there contains public keys. */
  readonly hasKeys: (document: unknown) => boolean;
  /** Whether an unverified payload names the right issuer and audience. */
  readonly isForProject: (payload: JsonObject) => boolean;
  /** Verifies a token with the Admin SDK, which must not need anything from Google but the keys. */
  readonly verify: (app: App, token: string) => Promise<Claims>;
}

/**
 * Makes a verifier based on the Admin SDK. The verifier throws `BadTokenError`, or `unavailable` if the keys cannot be
 * fetched: an outage at Google must not sign everyone out. It never infers from an error of the SDK which of the two it
 * is: the SDK gets no token before there are keys, and then only the token can be at fault. A token that Google cannot
 * have signed for this project fetches nothing, and no token discards keys.
 */
export function tokenVerifier<Claims>({
  name,
  keysUrl,
  hasKeys,
  isForProject,
  verify,
}: TokenKind<Claims>): (token: string) => Promise<Claims> {
  /** It has the current keys. The SDK cannot replace the keys of an app, so other keys need another one. */
  let app: App | undefined;

  const currentApp = sharedFetch(`The public keys of ${name}`, async (signal) => {
    const { value: document, lifetimeMs } = await fetchPublicKeys(keysUrl, hasKeys, signal);
    if (app !== undefined) deleteFirebaseApp(app);
    app = firebaseAppWithKeys(document);
    return { value: app, lifetimeMs };
  });

  return async (token) => {
    const decoded = decodedToken(token);
    if (decoded === undefined || !canBeSigned(decoded) || !isForProject(decoded.payload)) {
      throw new BadTokenError();
    }
    const withKeys = await currentApp();
    try {
      return await verify(withKeys, token);
    } catch {
      throw new BadTokenError();
    }
  };
}

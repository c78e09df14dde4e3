import type { App } from 'firebase-admin/app';
import { logger } from 'firebase-functions/logger';
import { discardFirebaseApp, newFirebaseApp } from './firebaseApp.ts';
import { TimeLimitError, withinLimit } from './timeLimit.ts';
import { unavailable } from '../platform/errors.ts';

/** How long one verification may take, including the fetch of Google's keys, in ms. */
const LIMIT_MS = 5_000;
/** How old suspect keys must be before they are fetched again, in ms. */
const REFETCH_MS = 1_000;

/** The token itself is invalid. */
export class BadTokenError extends Error {}

/** Why the Admin SDK did not verify a token. */
export type Failure =
  /** The token is invalid. */
  | 'badToken'
  /** It is signed with an unknown key: either the token or the fetched keys are wrong. */
  | 'unknownKey'
  /** The keys could not be fetched or used. */
  | 'keys';

/** Google's public keys, in the cache of a Firebase app. */
interface Keys {
  readonly app: App;
  readonly madeAt: number;
  /** Whether they have verified a token: then they are really Google's. */
  proven: boolean;
  /** Whether they should be fetched again. */
  suspect: boolean;
  /** The first verification, which fetches the keys while others wait. */
  first?: Promise<unknown> | undefined;
  isFetched: boolean;
}

/**
 * Makes a verifier based on the Admin SDK, which fetches Google's keys and caches them for as long as Google allows. It
 * adds three things: concurrent callers share one fetch; a fetch has a time limit; and unusable keys (an empty
 * document, or the keys of someone else) are soon fetched again, instead of rejecting every token for an hour.
 *
 * The verifier throws `BadTokenError`, or `unavailable` if tokens cannot be verified: an outage at Google must not sign
 * everyone out.
 */
export function tokenVerifier<Claims>(
  tokenKind: string,
  verify: (app: App, token: string) => Promise<Claims>,
  failureOf: (error: unknown) => Failure,
): (token: string) => Promise<Claims> {
  let keys: Keys | undefined;

  function currentKeys(): Keys {
    if (keys?.suspect && Date.now() - keys.madeAt >= REFETCH_MS) discard(keys);
    keys ??= {
      app: newFirebaseApp(),
      madeAt: Date.now(),
      proven: false,
      suspect: false,
      isFetched: false,
    };
    return keys;
  }

  function discard(used: Keys): void {
    discardFirebaseApp(used.app);
    if (keys === used) keys = undefined;
  }

  async function verifyWith(used: Keys, token: string): Promise<Claims> {
    try {
      const claims = await withinLimit(LIMIT_MS, verify(used.app, token));
      used.isFetched = true;
      used.proven = true;
      used.suspect = false;
      return claims;
    } catch (error) {
      const failure = error instanceof TimeLimitError ? 'keys' : failureOf(error);
      if (failure === 'badToken') throw new BadTokenError();
      if (failure === 'unknownKey') used.isFetched = true;
      if (failure === 'unknownKey' && used.proven) throw new BadTokenError();
      used.suspect = true;
      if (failure === 'keys') discard(used);
      logger.error(`${tokenKind} cannot be verified.`, { reason: textOf(error) });
      throw unavailable(error);
    }
  }

  return async (token) => {
    const used = currentKeys();
    while (!used.isFetched && used.first !== undefined) {
      // If the fetch fails, all waiting requests fail with it instead of retrying one by one.
      await used.first;
    }
    if (used.isFetched) return verifyWith(used, token);
    const work = verifyWith(used, token);
    used.first = work.catch((error: unknown) => {
      // If the keys were fetched, the others verify on their own: a forged token must not make them fail.
      if (!used.isFetched && !(error instanceof BadTokenError)) throw error;
    });
    // Waiting requests see the error. If there are none, it must not count as unhandled.
    used.first.catch(() => undefined);
    try {
      return await work;
    } finally {
      used.first = undefined;
    }
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

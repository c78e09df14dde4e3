import type { App } from 'firebase-admin/app';
import { logger } from 'firebase-functions/logger';
import { discardFirebaseApp, newFirebaseApp } from '../firebaseApp.ts';
import { unavailable } from './errors.ts';

/** How long one verification may take, Google's keys fetched, in ms. */
const LIMIT_MS = 5_000;
/** How old keys that have verified nothing yet must be before they are fetched again, in ms. */
const REFETCH_MS = 1_000;

/** A token that is at fault itself. */
export class BadTokenError extends Error {}

/** Why the Admin SDK did not verify a token. */
export type Failure =
  /** The token is bad. */
  | 'badToken'
  /** It is signed with a key that is not among Google's: it is bad, or those keys are. */
  | 'unknownKey'
  /** The keys could not be fetched or used. */
  | 'keys';

/** Google's public keys, as a Firebase app has fetched and cached them. */
interface Keys {
  readonly app: App;
  readonly madeAt: number;
  /** Whether a token was verified with them: then they are Google's. */
  proven: boolean;
  /** Whether they should be fetched again. */
  suspect: boolean;
  /** The first verification, which fetches them: others wait for it. */
  first?: Promise<unknown> | undefined;
  isFetched: boolean;
}

/**
 * Verifies tokens by the Admin SDK, which fetches Google's keys and caches them as long as Google says. What is added to
 * it: callers at once share one fetch; no fetch is waited for longer than its limit; and keys that are of no use (an
 * empty document, those of somebody else) are fetched again soon, instead of refusing everybody for an hour.
 *
 * The verification throws `BadTokenError`, or `unavailable` while tokens cannot be verified: an outage of Google's must
 * not sign everybody out.
 */
export function tokenVerifier<Claims>(
  what: string,
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
      const claims = await withinLimit(verify(used.app, token));
      used.isFetched = true;
      used.proven = true;
      used.suspect = false;
      return claims;
    } catch (error) {
      const failure = error instanceof LimitError ? 'keys' : failureOf(error);
      if (failure === 'badToken') throw new BadTokenError();
      if (failure === 'unknownKey') used.isFetched = true;
      if (failure === 'unknownKey' && used.proven) throw new BadTokenError();
      used.suspect = true;
      if (failure === 'keys') discard(used);
      logger.error(`${what} cannot be verified.`, { reason: textOf(error) });
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
      // With keys that were fetched, the others try for themselves: a forged token must not fail them.
      if (!used.isFetched && !(error instanceof BadTokenError)) throw error;
    });
    // Whoever waits is told; nobody may be waiting.
    used.first.catch(() => undefined);
    try {
      return await work;
    } finally {
      used.first = undefined;
    }
  };
}

class LimitError extends Error {}

async function withinLimit<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new LimitError(`No answer within ${LIMIT_MS} ms.`));
    }, LIMIT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

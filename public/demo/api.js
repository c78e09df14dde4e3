/** The client and the session that all views use. */
import { createMarketplaceClient, firebaseToken, MarketplaceError } from '../client/index.js';
import { localDemo, startAuth } from '../session.js';
import { notify } from './dom.js';

export const [auth, demo] = await Promise.all([startAuth(), localDemo()]);

export const api = createMarketplaceClient({
  baseUrl: '/api',
  token: auth && firebaseToken(auth),
});

/** What the local stack knows of whoever is signed in, and the API has no list of: their schedule, their conversations. */
export function ownDemo() {
  return demo?.accounts.find(({ uid }) => uid === auth?.currentUser?.uid);
}

let artists;

/** The verified artists: read once, as every view needs them. */
export async function verifiedArtists(options) {
  artists ??= await api.artists.list(undefined, options);
  return artists;
}

/** Does something that may fail, and says so; returns whether it was done. */
export async function attempt(work) {
  try {
    await work();
    return true;
  } catch (error) {
    // Whoever has gone to another view does not wait for this one.
    if (error.name === 'AbortError') return false;
    notify(sentenceFor(error));
    if (error.status === 401) location.hash = '#/sign-in';
    return false;
  }
}

function sentenceFor(error) {
  if (!(error instanceof MarketplaceError)) return 'That did not work. Please try again.';
  if (error.isCursorGone) return 'The list has changed meanwhile: please load the page again.';
  if (error.retryAfter) return `${error.message} (${Math.ceil(error.retryAfter)} s)`;
  return error.message;
}

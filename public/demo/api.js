/** The API client and the session, shared by all views. */
import { createMarketplaceClient, firebaseToken, MarketplaceError } from '../client/index.js';
import { localDemo, startAuth } from '../session.js';
import { notify } from './dom.js';

export const [auth, demo] = await Promise.all([startAuth(), localDemo()]);

export const api = createMarketplaceClient({
  baseUrl: '/api',
  token: auth && firebaseToken(auth),
});

/** The signed-in user's schedule and conversations, from the local stack: the API cannot list them. */
export function ownDemo() {
  return demo?.accounts.find(({ uid }) => uid === auth?.currentUser?.uid);
}

let artists;

/** The verified artists, read once for all views. */
export async function verifiedArtists(options) {
  artists ??= await api.artists.list(undefined, options);
  return artists;
}

/** Runs an action and shows its error, if any; returns whether it succeeded. */
export async function attempt(work) {
  try {
    await work();
    return true;
  } catch (error) {
    // The user has left the view: do not show its errors.
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

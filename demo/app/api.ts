/** The API client, the session and the world of the demo, shared by all views. */
import { createMarketplaceClient, firebaseToken } from '../client/index.js';
import { localDemo, startAuth } from '../session.js';
import { signOut } from '../vendor/firebase-auth.js';
import { quiet } from './dom.js';
import { notify } from './notice.js';

export const [auth, demo] = await patiently(() => Promise.all([startAuth(), localDemo()]));

export const api = createMarketplaceClient({
  baseUrl: '/api',
  token: auth && firebaseToken(auth),
});

/** Without its settings the app cannot start: the skeleton of index.html is shown until they can be read. */
async function patiently(read, wait = 1000) {
  try {
    return await read();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, wait));
    return patiently(read, Math.min(2 * wait, 15_000));
  }
}

/**
 * What the API has no list of: the signed-in user's schedule, time off, bookings and conversations. On the local stack
 * they are those of the demo data, with what this tab has changed.
 */
export function ownDemo() {
  const account = demo?.accounts.find(({ uid }) => uid === auth?.currentUser?.uid);
  return account && { ...account, ...JSON.parse(sessionStorage.getItem(account.uid) ?? '{}') };
}

/** Keeps changes of `ownDemo` in this tab. */
export function remember(changes) {
  const { uid } = ownDemo();
  const earlier = JSON.parse(sessionStorage.getItem(uid) ?? '{}');
  sessionStorage.setItem(uid, JSON.stringify({ ...earlier, ...changes }));
}

let artists;

/** The verified artists, read once for all views. */
export function verifiedArtists() {
  artists ??= api.artists.list().catch((error) => {
    artists = undefined;
    throw error;
  });
  return artists;
}

/** Whether the signed-in user is an artist, as far as that is known: the artist list only has verified ones. */
export async function isArtist({ uid }) {
  const known = ownDemo();
  if (known !== undefined) return known.schedule !== undefined;
  return (await verifiedArtists().catch(() => [])).some(({ id }) => id === uid);
}

/** The name to show for a user. */
export function nameOf({ displayName, firstName, lastName, artistInfo }) {
  const names = [
    displayName,
    [firstName, lastName].filter(Boolean).join(' '),
    artistInfo?.username,
  ];
  return names.find((name) => name?.trim()) ?? 'Without a name';
}

/** Runs an action, and shows what went wrong, if anything; `false` then, otherwise the result or `true`. */
export async function attempt(work, sentences) {
  try {
    return (await work()) ?? true;
  } catch (error) {
    // The user has left the view: do not show its errors.
    if (error.name === 'AbortError') return false;
    notify(sentenceFor(error, sentences), { stays: error.status === 500 });
    if (error.code === 'unauthenticated') await signOut(auth);
    return false;
  }
}

const NO_ACCOUNT = 'There is no account with this e-mail and password.';
const SESSION_ENDED = 'Your session has ended. Please sign in again.';

/** What to tell people about an error of the API or of Firebase Auth, by its code. */
const SENTENCES = {
  'invalid-argument': 'This was not accepted. Please check what you entered.',
  unauthenticated: SESSION_ENDED,
  'permission-denied': 'This belongs to somebody else.',
  'not-found': 'This is no longer there.',
  'cursor-not-found': 'The list has changed meanwhile. Please load the page again.',
  'resource-exhausted': 'That was a lot at once. Please wait a moment.',
  unavailable: 'The service is busy. Please try again in a moment.',
  'outcome-unknown': 'The service could not confirm this.',
  'no-response': 'The service cannot be reached. Please check your connection.',
  'auth/network-request-failed': 'Signing in is not possible: the service cannot be reached.',
  'auth/too-many-requests': 'Too many attempts. Please wait a few minutes.',
  'auth/invalid-credential': NO_ACCOUNT,
  'auth/wrong-password': NO_ACCOUNT,
  'auth/user-not-found': NO_ACCOUNT,
  'auth/user-token-expired': SESSION_ENDED,
};

/** What to say if the artist's own work has changed elsewhere: a request is carried out for all of its ids or none. */
export const CHANGED = {
  'not-found': 'Some of these are no longer there, so nothing was changed. Please reload the page.',
};

/** A sentence about an error; `sentences` are those of the action, by code. */
export function sentenceFor(error, sentences = {}) {
  const { status, code, retryAfter, mayHaveSucceeded, requestId } = error;
  return [
    sentences[code] ?? SENTENCES[code] ?? 'That did not work. Please try again later.',
    retryAfter && `(${Math.ceil(retryAfter)} s)`,
    mayHaveSucceeded && 'It may have been carried out all the same.',
    status === 500 && requestId && `If you ask for help, quote ${requestId}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** The elements of all pages of a list, which they have under this name. */
export async function elementsOf(listPages, name) {
  const elements = [];
  for await (const page of listPages) elements.push(...page[name]);
  return elements;
}

/** A button that shows the next page of a list, at most one at a time. The first page is shown before it is there. */
export async function moreButton(label, listPages, show) {
  const button = quiet(label, () => attempt(read));
  const read = async () => {
    button.disabled = true;
    try {
      const { value: page, done } = await listPages.next();
      button.hidden = done || !page.hasMore;
      if (!done) show(page);
    } finally {
      button.disabled = false;
    }
  };
  await read();
  return button;
}

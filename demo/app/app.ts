/** The routes of the app, and the parts that all views share. */
import { onAuthStateChanged, signOut } from '../vendor/firebase-auth.js';
import { auth, isArtist, sentenceFor } from './api.js';
import { h, quiet } from './dom.js';
import { artist } from './views/artist.js';
import { bookings } from './views/bookings.js';
import { explore } from './views/explore.js';
import { conversation, conversations } from './views/messages.js';
import { signIn } from './views/signIn.js';
import { week } from './views/week.js';

/** The view for each route, and why to sign in for it. It gets the groups of the pattern as arguments. */
const ROUTES = [
  [/^(?:#\/?)?$/, explore],
  [/^#\/artists\/([^/]+)$/, artist],
  [/^#\/week$/, week, 'to see your week'],
  [/^#\/bookings$/, bookings, 'to see your bookings'],
  [/^#\/messages$/, conversations, 'to read your messages'],
  [/^#\/messages\/([^/]+)$/, conversation, 'to read your messages'],
  [/^#\/sign-in$/, signIn],
];
/** How long a new view may take before the old one makes room for the skeleton, in ms. */
const PATIENCE_MS = 400;

/** The errors after which the same request fails again. */
const FINAL = ['invalid-argument', 'permission-denied', 'not-found'];

const view = document.querySelector('#view');
const skeleton = [...view.children];
let leaving = new AbortController();

/** Shows the view for the current URL. A view resolves with its elements; its signal aborts when the user leaves it. */
async function show() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  view.setAttribute('aria-busy', 'true');
  const late = setTimeout(() => {
    // At the first load it is there already, and has begun to count the seconds.
    if (view.firstElementChild !== skeleton[0]) view.replaceChildren(...skeleton);
  }, PATIENCE_MS);
  signal.addEventListener('abort', () => clearTimeout(late));
  const content = await contentOf(location.hash, { signal }).catch(failure);
  if (signal.aborted) return;
  clearTimeout(late);
  view.replaceChildren(...content.filter(Boolean));
  view.removeAttribute('aria-busy');
  document.title = `${view.querySelector('h1').textContent} – Flash`;
  const start = view.querySelector('[data-start]');
  if (start === null) scrollTo(0, 0);
  else start.scrollIntoView({ block: 'end' });
}

async function contentOf(hash, options) {
  const [pattern, render = nothing, purpose] = ROUTES.find(([route]) => route.test(hash)) ?? [/^/];
  if (purpose !== undefined && !auth?.currentUser) return signIn(options, purpose);
  const parameters = pattern.exec(hash).slice(1).map(decoded);
  return parameters.includes(undefined) ? nothing() : render(options, ...parameters);
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function nothing() {
  return [
    h('h1', {}, 'There is no such page'),
    h('p', {}, h('a', { href: '#/' }, 'See all artists')),
  ];
}

async function failure(error) {
  if (error.code === 'unauthenticated') await signOut(auth);
  return [
    h('h1', {}, 'This page could not be loaded'),
    h('p', {}, sentenceFor(error)),
    !FINAL.includes(error.code) && h('p', {}, quiet('Try again', show)),
  ];
}

async function showAccount() {
  const user = auth?.currentUser;
  const own = user && (await isArtist(user));
  if (auth?.currentUser !== user) return;
  const link = (href, text) =>
    h('a', { href, 'aria-current': location.hash === href && 'page' }, text);
  const links = [
    link('#/', 'Artists'),
    own && link(`#/artists/${encodeURIComponent(user.uid)}`, 'My work'),
    own && link('#/week', 'My week'),
    own && link('#/bookings', 'Bookings'),
    user && link('#/messages', 'Messages'),
  ];
  document.querySelector('#bar nav').replaceChildren(...links.filter(Boolean));
  const account = user
    ? [h('span', {}, user.displayName || user.email), quiet('Sign out', () => signOut(auth))]
    : [h('a', { class: 'button', href: '#/sign-in' }, 'Sign in')];
  document.querySelector('#account').replaceChildren(...account);
}

addEventListener('hashchange', () => {
  showAccount();
  // Screen readers continue at the start of the new view.
  view.focus({ preventScroll: true });
  show();
});
if (auth === undefined) {
  showAccount();
  show();
} else {
  // Also runs at the start, when Firebase has restored the session of an earlier visit.
  onAuthStateChanged(auth, () => {
    showAccount();
    show();
  });
}

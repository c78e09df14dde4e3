/** The routes of the app, and the parts that all views share. */
import { onAuthStateChanged, signOut } from 'firebase/auth';
import { account, auth, failureOf, sentenceFor, type ViewOptions } from './api.ts';
import { focusView, h, one, quiet, type Child } from './dom.ts';
import { artist } from './views/artist.ts';
import { bookings } from './views/bookings.ts';
import { explore } from './views/explore.ts';
import { conversation, conversations } from './views/messages.ts';
import { signIn } from './views/signIn.ts';
import { week } from './views/week.ts';

/** A view gets what the group of its pattern matches, and resolves with its elements. */
type View = (options: ViewOptions, parameter: string) => Child[] | Promise<Child[]>;

/** The view for each route, and why to sign in for it. */
const ROUTES: readonly (readonly [pattern: RegExp, view: View, purpose?: string])[] = [
  [/^(?:#\/?)?$/, explore],
  [/^#\/artists\/([^/]+)$/, artist],
  [/^#\/week$/, week, 'to see your week'],
  [/^#\/bookings$/, bookings, 'to see your bookings'],
  [/^#\/messages$/, conversations, 'to read your messages'],
  [/^#\/messages\/([^/]+)$/, conversation, 'to read your messages'],
  [/^#\/sign-in$/, () => signIn()],
];

/** The errors after which the same request fails again. */
const FINAL: readonly unknown[] = ['invalid-argument', 'permission-denied', 'not-found'];

const view = one('#view');
let leaving = new AbortController();

/** Shows the view for the current URL. Until it is there, the one before stays. */
async function show(): Promise<void> {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  view.setAttribute('aria-busy', 'true');
  const content = await contentOf(location.hash, { signal }).catch(failure);
  if (signal.aborted) return;
  view.replaceChildren(...h('div', {}, content).childNodes);
  view.removeAttribute('aria-busy');
  document.title = `${one('h1', view).textContent} – Flash`;
  const start = view.querySelector('[data-start]');
  if (start === null) scrollTo(0, 0);
  else start.scrollIntoView({ block: 'end' });
}

async function contentOf(hash: string, options: ViewOptions): Promise<Child[]> {
  for (const [pattern, render, purpose] of ROUTES) {
    const [whole, group = ''] = pattern.exec(hash) ?? [];
    if (whole === undefined) continue;
    if (purpose !== undefined && account() === undefined) return signIn(purpose);
    const parameter = decoded(group);
    if (parameter !== undefined) return render(options, parameter);
  }
  return [
    h('h1', {}, 'There is no such page'),
    h('p', {}, h('a', { href: '#/' }, 'See all artists')),
  ];
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

async function failure(error: unknown): Promise<Child[]> {
  const { code } = failureOf(error);
  if (code === 'unauthenticated') await signOut(auth);
  return [
    h('h1', {}, 'This page could not be loaded'),
    h('p', {}, sentenceFor(error)),
    !FINAL.includes(code) && h('p', {}, quiet('Try again', navigate)),
  ];
}

function showAccount(): void {
  const user = account();
  const isArtist = user?.schedule !== undefined;
  const link = (href: string, text: string) =>
    h('a', { href, 'aria-current': location.hash === href && 'page' }, text);
  const links = [
    link('#/', 'Artists'),
    isArtist && link(`#/artists/${encodeURIComponent(user.uid)}`, 'My work'),
    isArtist && link('#/week', 'My week'),
    isArtist && link('#/bookings', 'Bookings'),
    user && link('#/messages', 'Messages'),
  ];
  one('#bar nav').replaceChildren(...h('div', {}, links).childNodes);
  const parts = user
    ? [h('span', {}, user.displayName), quiet('Sign out', () => signOut(auth))]
    : [h('a', { class: 'button', href: '#/sign-in' }, 'Sign in')];
  one('#account').replaceChildren(...parts);
}

/** Shows what there is for the current URL and user. Screen readers continue at the start of the view. */
function navigate(): void {
  showAccount();
  const isFirst = view.querySelector('h1') === null;
  if (!isFirst) focusView();
  void show();
}

addEventListener('hashchange', navigate);
// Also runs at the start, when Firebase has restored the session of an earlier visit.
onAuthStateChanged(auth, navigate);

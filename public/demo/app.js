/** The routes of the app, and the parts that all views share. */
import { onAuthStateChanged, signOut } from '../vendor/firebase-auth.js';
import { attempt, auth } from './api.js';
import { h } from './dom.js';
import { artist } from './views/artist.js';
import { explore } from './views/explore.js';
import { conversation, conversations } from './views/messages.js';
import { signIn } from './views/signIn.js';
import { week } from './views/week.js';

/** The view for each route. It gets the groups of the pattern as arguments. */
const ROUTES = [
  [/^#\/artists\/([^/]+)$/, artist],
  [/^#\/week$/, week],
  [/^#\/messages$/, conversations],
  [/^#\/messages\/([^/]+)$/, conversation],
  [/^#\/sign-in$/, signIn],
  [/^/, explore],
];

const view = document.querySelector('#view');
let leaving = new AbortController();

/** Shows the view for the current URL. A view resolves with its elements; its signal aborts when the user leaves it. */
async function show() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  view.setAttribute('aria-busy', 'true');
  const [pattern, render] = ROUTES.find(([address]) => address.test(location.hash));
  const [, ...parameters] = pattern.exec(location.hash).map(decodeURIComponent);
  const isShown = await attempt(async () => {
    const content = await render({ signal }, ...parameters);
    signal.throwIfAborted();
    view.replaceChildren(...content);
  });
  if (signal.aborted) return;
  if (!isShown) view.replaceChildren(failure());
  view.removeAttribute('aria-busy');
  document.title = `${view.querySelector('h1').textContent} – Flash`;
  const start = view.querySelector('[data-start]');
  if (start === null) scrollTo(0, 0);
  else start.scrollIntoView({ block: 'end' });
}

function failure() {
  return h(
    'div',
    {},
    h('h1', {}, 'This page could not be loaded'),
    h('button', { class: 'quiet', onclick: show }, 'Try again'),
  );
}

function showAccount(user) {
  const link = (href, text) =>
    h('a', { href, 'aria-current': location.hash === href && 'page' }, text);
  document
    .querySelector('#bar nav')
    .replaceChildren(
      link('#/', 'Artists'),
      ...(user
        ? [
            link(`#/artists/${user.uid}`, 'My work'),
            link('#/week', 'My week'),
            link('#/messages', 'Messages'),
          ]
        : []),
    );
  document
    .querySelector('#account')
    .replaceChildren(
      user
        ? h(
            'button',
            { class: 'quiet', title: `Signed in as ${user.email}`, onclick: () => signOut(auth) },
            'Sign out',
          )
        : h('a', { class: 'button', href: '#/sign-in' }, 'Sign in'),
    );
}

addEventListener('hashchange', () => {
  showAccount(auth?.currentUser);
  // Screen readers continue at the start of the new view.
  view.focus({ preventScroll: true });
  show();
});
showAccount(null);
if (auth === undefined) {
  show();
} else {
  // Also runs at the start, when Firebase has restored the session of an earlier visit.
  onAuthStateChanged(auth, (user) => {
    showAccount(user);
    show();
  });
}

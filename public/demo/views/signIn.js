import { signInWithEmailAndPassword } from '../../vendor/firebase-auth.js';
import { auth, demo } from '../api.js';
import { h, notify } from '../dom.js';

/** Sign-in: with a demo account on the local stack, with the user's own account in a deployment. */
export function signIn() {
  if (auth === undefined) {
    return [
      h('h1', {}, 'Sign in'),
      h(
        'p',
        {},
        'The project that serves this page has no web app yet: add one in the Firebase console, and sign-in by e-mail.',
      ),
    ];
  }
  return [h('h1', {}, 'Sign in'), demo === undefined ? ownAccount() : demoAccounts()];
}

function demoAccounts() {
  return h(
    'ul',
    { class: 'choices', role: 'list' },
    demo.accounts.map(({ displayName, note, email, password }) =>
      h(
        'li',
        {},
        h(
          'button',
          { class: 'choice', onclick: () => enter(email, password) },
          h('strong', {}, displayName),
          h('span', {}, note),
        ),
      ),
    ),
  );
}

function ownAccount() {
  const email = h('input', { type: 'email', autocomplete: 'username', required: true });
  const password = h('input', {
    type: 'password',
    autocomplete: 'current-password',
    required: true,
  });
  const submit = (event) => {
    event.preventDefault();
    enter(email.value, password.value);
  };
  return h(
    'form',
    { class: 'stack', onsubmit: submit },
    h('label', {}, 'E-mail', email),
    h('label', {}, 'Password', password),
    h('button', {}, 'Sign in'),
  );
}

async function enter(email, password) {
  try {
    await signInWithEmailAndPassword(auth, email, password);
    location.hash = '#/';
  } catch {
    notify('There is no account with this e-mail and password.');
  }
}

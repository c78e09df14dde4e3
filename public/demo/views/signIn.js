import { signInWithEmailAndPassword } from '../../vendor/firebase-auth.js';
import { attempt, auth, demo } from '../api.js';
import { h } from '../dom.js';

/** Sign-in: with a demo account on the local stack, with the user's own account in a deployment. */
export function signIn(_options, purpose) {
  return [
    h('h1', {}, 'Sign in'),
    purpose && h('p', { class: 'hint' }, `Sign in ${purpose}.`),
    auth === undefined
      ? h('p', {}, 'This project has no web app yet: add one in the Firebase console.')
      : demo === undefined
        ? ownAccount()
        : demoAccounts(),
  ];
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

/** Signs in; the view for which it is needed then appears by itself. */
async function enter(email, password) {
  const isDone = await attempt(() => signInWithEmailAndPassword(auth, email, password));
  if (isDone && location.hash === '#/sign-in') location.hash = '#/';
}

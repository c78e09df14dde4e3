import { signInWithEmailAndPassword } from '../../vendor/firebase-auth.js';
import { attempt, auth, demo } from '../api.js';
import { h, hint, ul } from '../dom.js';

/** Sign-in: with a demo account on the local stack, with the user's own account in a deployment. */
export function signIn(_options, purpose) {
  return [
    h('h1', {}, 'Sign in'),
    purpose && hint(`Sign in ${purpose}.`),
    auth === undefined
      ? h('p', {}, 'This project has no web app yet: add one in the Firebase console.')
      : demo === undefined
        ? ownAccount()
        : demoAccounts(),
  ];
}

function demoAccounts() {
  const choices = demo.accounts.map(({ displayName, note, email, password }) => {
    const onclick = () => enter(email, password);
    const text = [h('strong', {}, displayName), h('span', {}, note)];
    return h('li', {}, h('button', { class: 'choice', onclick }, text));
  });
  return ul('choices', choices);
}

function ownAccount() {
  const email = h('input', { type: 'email', autocomplete: 'username', required: true });
  const autocomplete = 'current-password';
  const password = h('input', { type: 'password', autocomplete, required: true });
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

import { signInWithEmailAndPassword } from 'firebase/auth';
import { attempt, auth, demo } from '../api.ts';
import { h, hint, ul, type Child } from '../dom.ts';

/** Sign-in with a demo account. */
export function signIn(purpose?: string): Child[] {
  const choices = demo.accounts.map(({ displayName, note, email, password }) => {
    const onclick = () => enter(email, password);
    const text = [h('strong', {}, displayName), h('span', {}, note)];
    return h('li', {}, h('button', { class: 'choice', onclick }, text));
  });
  return [
    h('h1', {}, 'Sign in'),
    purpose !== undefined && hint(`Sign in ${purpose}.`),
    ul('choices', choices),
  ];
}

/** Signs in; the view for which it is needed then appears by itself. */
async function enter(email: string, password: string): Promise<void> {
  const isDone = await attempt(() => signInWithEmailAndPassword(auth, email, password));
  if (isDone && location.hash === '#/sign-in') location.hash = '#/';
}

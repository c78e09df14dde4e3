import { signInWithEmailAndPassword } from 'firebase/auth';
import { List } from '../../components/controls.tsx';
import { run } from '../../components/notices.tsx';
import { auth, demo } from '../../session.ts';

const SIGN_IN_MESSAGES = {
  'auth/network-request-failed': 'Signing in is not possible: the service cannot be reached.',
};

/** Sign-in with a demo account. The view that requires it then appears by itself. */
export function SignIn({ purpose }: { purpose?: string }) {
  const signIn = async (email: string, password: string) => {
    const signInToAuth = () => signInWithEmailAndPassword(auth, email, password);
    const { isDone } = await run(signInToAuth, undefined, SIGN_IN_MESSAGES);
    if (isDone && location.hash === '#/sign-in') location.assign('#/');
  };
  const choices = demo.accounts.map(({ uid, displayName, note, email, password }) => (
    <li key={uid}>
      <button className="choice" onClick={() => signIn(email, password)}>
        <strong>{displayName}</strong>
        <span>{note}</span>
      </button>
    </li>
  ));
  return (
    <>
      <h1>Sign in</h1>
      {purpose !== undefined && <p className="hint">Sign in {purpose}.</p>}
      <List className="choices">{choices}</List>
    </>
  );
}

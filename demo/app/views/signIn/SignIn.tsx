import { signInWithEmailAndPassword } from 'firebase/auth';
import { List } from '../../components/controls.tsx';
import { run } from '../../components/notices.tsx';
import { auth, demo } from '../../session.ts';

/** Sign-in with a demo account. The view that requires it then appears by itself. */
export function SignIn({ purpose }: { purpose?: string }) {
  const signIn = async (email: string, password: string) => {
    const { isDone } = await run(() => signInWithEmailAndPassword(auth, email, password));
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

import { useMutation } from '@tanstack/react-query';
import { signInWithEmailAndPassword } from 'firebase/auth';
import type { DemoAccount } from '../../../pageData.ts';
import { auth, demo } from '../../session.ts';

const MESSAGES = {
  'auth/network-request-failed': 'Signing in is not possible: the service cannot be reached.',
};

/** Sign-in with a demo account. The view that requires it then appears by itself. */
export function SignIn({ purpose }: { purpose?: string }) {
  const { mutate: signIn } = useMutation({
    mutationFn: ({ email, password }: DemoAccount) =>
      signInWithEmailAndPassword(auth, email, password),
    onSuccess: () => location.hash === '#/sign-in' && location.assign('#/'),
    meta: { errors: MESSAGES },
  });
  const choices = demo.accounts.map((account) => (
    <li key={account.uid}>
      <button className="choice" onClick={() => signIn(account)}>
        <strong>{account.displayName}</strong>
        <span>{account.note}</span>
      </button>
    </li>
  ));
  return (
    <>
      <h1>Sign in</h1>
      {purpose !== undefined && <p className="hint">Sign in {purpose}.</p>}
      <ul role="list" className="choices">
        {choices}
      </ul>
    </>
  );
}

import { randomUUID } from 'node:crypto';
import { deleteApp, initializeApp } from 'firebase/app';
import { connectAuthEmulator, createUserWithEmailAndPassword, initializeAuth } from 'firebase/auth';
import { rawRequest } from './rawRequest.ts';
import { testStack } from './stack.ts';

/** A signed-in user. */
export interface SignedIn {
  readonly uid: string;
  readonly token: string;
}

/** Creates an account and signs it in like an app: with the web SDK, at the Auth emulator. */
export async function signedIn(): Promise<SignedIn> {
  const { projectId, authHost } = testStack();
  const app = initializeApp({ projectId, apiKey: 'demo' }, randomUUID());
  try {
    const auth = initializeAuth(app);
    connectAuthEmulator(auth, `http://${authHost}`, { disableWarnings: true });
    const { user } = await createUserWithEmailAndPassword(
      auth,
      `${randomUUID()}@example.com`,
      randomUUID(),
    );
    return { uid: user.uid, token: await user.getIdToken() };
  } finally {
    await deleteApp(app);
  }
}

/** Changes or deletes an account with administrator rights. */
export async function administer(
  action: 'update' | 'delete',
  account: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { projectId, authHost } = testStack();
  const path = `identitytoolkit.googleapis.com/v1/projects/${projectId}/accounts:${action}`;
  const { status } = await rawRequest(`http://${authHost}`, `/${path}`, {
    method: 'POST',
    headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
    body: JSON.stringify(account),
  });
  if (status !== 200) throw new Error(`The Auth emulator could not ${action} the account.`);
}

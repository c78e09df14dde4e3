import { randomUUID } from 'node:crypto';
import { sendRawRequest } from './sendRawRequest.ts';
import { getTestStack } from '../processes/testStack.ts';

/** A signed-in user. */
interface SignedInUser {
  readonly uid: string;
  readonly token: string;
}

/** Creates an account and signs it in, as Firebase's SDKs do: https://firebase.google.com/docs/reference/rest/auth. */
export async function createSignedInUser(): Promise<SignedInUser> {
  const email = `${randomUUID()}@example.com`;
  const account = { email, password: randomUUID(), returnSecureToken: true };
  const response = await callAuthEmulator('accounts:signUp?key=demo', account, {});
  const { localId, idToken } = JSON.parse(response) as { localId: string; idToken: string };
  return { uid: localId, token: idToken };
}

/** Creates an account with this uid, and signs it in. Returns its ID token. */
export async function signInAs(uid: string): Promise<string> {
  const { projectId } = getTestStack();
  const account = { email: `${randomUUID()}@example.com`, password: randomUUID() };
  const admin = { Authorization: 'Bearer owner' };
  await callAuthEmulator(`projects/${projectId}/accounts`, { localId: uid, ...account }, admin);
  const signIn = { ...account, returnSecureToken: true };
  const response = await callAuthEmulator('accounts:signInWithPassword?key=demo', signIn, {});
  return (JSON.parse(response) as { idToken: string }).idToken;
}

/** Changes or deletes an account with administrator rights. */
export async function adminUpdateAccount(
  action: 'update' | 'delete',
  account: object,
): Promise<void> {
  const { projectId } = getTestStack();
  await callAuthEmulator(`projects/${projectId}/accounts:${action}`, account, {
    Authorization: 'Bearer owner',
  });
}

/** Calls the Auth emulator. */
async function callAuthEmulator(
  path: string,
  body: object,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const url = `/identitytoolkit.googleapis.com/v1/${path}`;
  const { status, text } = await sendRawRequest(`http://${getTestStack().authHost}`, url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (status !== 200) throw new Error(`The Auth emulator responded to ${path} with ${text}`);
  return text;
}

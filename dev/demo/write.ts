import type { StackAddresses } from '../addresses.ts';
import { Store } from '../shared/store.ts';
import { demoAccounts } from './accounts.ts';
import { demoDocuments, PICTURES } from './documents.ts';

/** Writes the demo data and accounts; writing them again restores them. */
export async function writeDemoData(
  target: StackAddresses,
): Promise<{ documents: number; accounts: number }> {
  const [documents] = await Promise.all([writeDemoDocuments(target), writeAccounts(target)]);
  return { documents, accounts: demoAccounts.length };
}

/** Writes the demo documents; returns their number. */
export async function writeDemoDocuments({
  projectId,
  firestoreHost,
  baseAddress,
}: Pick<StackAddresses, 'projectId' | 'firestoreHost'> & Partial<StackAddresses>): Promise<number> {
  const documents = demoDocuments(
    baseAddress === undefined ? PICTURES : new URL('/demo/pictures', baseAddress).href,
  );
  await new Store(firestoreHost, projectId).setAll(documents.map(({ path, data }) => [path, data]));
  return documents.length;
}

async function writeAccounts({ projectId, authHost }: StackAddresses): Promise<void> {
  const users = demoAccounts.map(({ uid, email, password, displayName }) => {
    return { localId: uid, email, rawPassword: password, displayName, emailVerified: true };
  });
  const accounts = `http://${authHost}/identitytoolkit.googleapis.com/v1/projects/${projectId}/accounts`;
  const response = await fetch(`${accounts}:batchCreate`, {
    method: 'POST',
    // The emulator's administrator credentials.
    headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
    body: JSON.stringify({ users, allowOverwrite: true }),
  });
  // A list of those that it refused, or one error for all.
  const { error = [] } = (await response.json()) as { error?: object };
  if (Object.keys(error).length > 0)
    throw new Error(`The Auth emulator refused the accounts: ${JSON.stringify(error)}`);
}

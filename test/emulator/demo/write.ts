import type { StackAddresses } from '../addresses.ts';
import { Store } from '../firestore/store.ts';
import { demoAccounts, type DemoAccount } from './accounts.ts';
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
  const accounts = `http://${authHost}/identitytoolkit.googleapis.com/v1/projects/${projectId}/accounts`;
  await Promise.all(
    demoAccounts.map(async (account) => {
      const known = await post(`${accounts}:update`, fieldsOf(account));
      if (known.ok) return;
      const created = await post(accounts, fieldsOf(account));
      if (!created.ok) {
        throw new Error(`The Auth emulator refused ${account.email}: ${await created.text()}`);
      }
    }),
  );
}

/** An account in the format of the Auth emulator's admin API. */
function fieldsOf({ uid, email, password, displayName }: DemoAccount) {
  return { localId: uid, email, password, displayName, emailVerified: true };
}

async function post(address: string, body: object): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    // The emulator's administrator credentials.
    headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

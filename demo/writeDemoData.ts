import { EmulatorClient } from '@tattoo-marketplace/firestore-embedded';
import { demoAccounts } from './accounts.ts';
import { readDemoDocuments } from './documents.ts';

/** The addresses of a local stack that its demo data depend on. */
export interface DemoTarget {
  readonly projectId: string;
  /** The base URL for apps: Hosting's address, ending in `/api`. */
  readonly baseAddress: string;
  /** `host:port` of the Auth emulator. */
  readonly authHost: string;
  /** `host:port` of the Firestore that the functions use. */
  readonly firestoreHost: string;
}

/** Writes the demo data and accounts. A repeated call restores them. */
export async function writeDemoData(target: DemoTarget): Promise<void> {
  const documents = readDemoDocuments(
    Date.now(),
    new URL('/demo/pictures', target.baseAddress).href,
  );
  const store = new EmulatorClient(target.firestoreHost, target.projectId);
  await Promise.all([store.setAll(documents), writeAccounts(target)]);
}

async function writeAccounts({ projectId, authHost }: DemoTarget): Promise<void> {
  const users = demoAccounts.map(({ uid, email, password, displayName }) => {
    return { localId: uid, email, rawPassword: password, displayName, emailVerified: true };
  });
  const accounts = `http://${authHost}/identitytoolkit.googleapis.com/v1/projects/${projectId}/accounts`;
  const response = await fetch(`${accounts}:batchCreate`, {
    method: 'POST',
    // These are the credentials of an administrator on the emulator.
    headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
    body: JSON.stringify({ users, allowOverwrite: true }),
  });
  // The error is a list of the rejected accounts, or a single error for all accounts.
  const { error = [] } = (await response.json()) as { error?: object };
  if (Object.keys(error).length > 0)
    throw new Error(`The Auth emulator rejected the demo accounts: ${JSON.stringify(error)}`);
}

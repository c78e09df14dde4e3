import { LocalFirestore } from '@tattoo-marketplace/firestore-embedded';
import { demoAccounts } from './accounts.ts';
import { demoDocuments } from './documents.ts';

/** A running stack: its project, and where its parts are. */
interface Target {
  readonly projectId: string;
  /** The base URL for apps, on Hosting. */
  readonly baseAddress: string;
  /** `host:port` of the Auth emulator. */
  readonly authHost: string;
  /** `host:port` of its Firestore. */
  readonly firestoreHost: string;
}

/** Writes the demo data and accounts; writing them again restores them. */
export async function writeDemoData(target: Target): Promise<void> {
  const documents = demoDocuments(Date.now(), new URL('/demo/pictures', target.baseAddress).href);
  const store = new LocalFirestore(target.firestoreHost, target.projectId);
  await Promise.all([store.setAll(documents), writeAccounts(target)]);
}

async function writeAccounts({ projectId, authHost }: Target): Promise<void> {
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

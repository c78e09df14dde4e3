import { Firestore } from 'firebase-admin/firestore';
import { demoAccounts, type DemoAccount } from './accounts.ts';
import { demoDocuments } from './documents.ts';

/** The emulators that the demo data is written into. */
export interface DemoTarget {
  readonly projectId: string;
  /** `host:port` */
  readonly firestoreHost: string;
  /** `host:port` */
  readonly authHost: string;
}

/** Writes the demo data and the demo accounts; written again, they are as they were. */
export async function writeDemoData(
  target: DemoTarget,
): Promise<{ documents: number; accounts: number }> {
  const [documents] = await Promise.all([writeDemoDocuments(target), writeAccounts(target)]);
  return { documents, accounts: demoAccounts.length };
}

const BATCH_SIZE = 400;

/** Writes the documents of the demo; returns how many. */
export async function writeDemoDocuments({
  projectId,
  firestoreHost,
}: Pick<DemoTarget, 'projectId' | 'firestoreHost'>): Promise<number> {
  // Otherwise the SDK looks for Google's metadata server first, which takes seconds where there is none.
  process.env.METADATA_SERVER_DETECTION = 'none';
  const firestore = new Firestore({ projectId, host: firestoreHost, ssl: false });
  const documents = demoDocuments();
  try {
    for (let from = 0; from < documents.length; from += BATCH_SIZE) {
      const batch = firestore.batch();
      for (const { path, data } of documents.slice(from, from + BATCH_SIZE)) {
        batch.set(firestore.doc(path), data);
      }
      await batch.commit();
    }
  } finally {
    await firestore.terminate();
  }
  return documents.length;
}

async function writeAccounts({ projectId, authHost }: DemoTarget): Promise<void> {
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

/** An account in the terms of the Auth emulator's administration API. */
function fieldsOf({ uid, email, password, displayName }: DemoAccount) {
  return { localId: uid, email, password, displayName, emailVerified: true };
}

async function post(address: string, body: object): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    // What the emulator takes for the credentials of an administrator.
    headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

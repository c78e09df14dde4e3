import { Firestore } from 'firebase-admin/firestore';
import { demoAccounts, type DemoAccount } from './accounts.ts';
import { demoDocuments, PICTURES } from './documents.ts';

/** The emulators for the demo data. */
export interface DemoTarget {
  readonly projectId: string;
  /** `host:port` */
  readonly firestoreHost: string;
  /** `host:port` */
  readonly authHost: string;
  /** The base URL of the API; the same server has the pictures. */
  readonly baseAddress?: string;
}

/** Writes the demo data and accounts; writing them again restores them. */
export async function writeDemoData(
  target: DemoTarget,
): Promise<{ documents: number; accounts: number }> {
  const [documents] = await Promise.all([writeDemoDocuments(target), writeAccounts(target)]);
  return { documents, accounts: demoAccounts.length };
}

const BATCH_SIZE = 400;

/** Writes the demo documents; returns their number. */
export async function writeDemoDocuments({
  projectId,
  firestoreHost,
  baseAddress,
}: Pick<DemoTarget, 'projectId' | 'firestoreHost' | 'baseAddress'>): Promise<number> {
  // Without this, the SDK first looks for Google's metadata server, which can take seconds.
  process.env.METADATA_SERVER_DETECTION = 'none';
  const firestore = firestoreAt(projectId, firestoreHost);
  const documents = demoDocuments(
    baseAddress === undefined ? PICTURES : new URL('/demo/pictures', baseAddress).href,
  );
  try {
    const batches = Array.from({ length: Math.ceil(documents.length / BATCH_SIZE) }, (_, n) =>
      documents.slice(n * BATCH_SIZE, (n + 1) * BATCH_SIZE),
    );
    await Promise.all(
      batches.map(async (some) => {
        const batch = firestore.batch();
        for (const { path, data } of some) batch.set(firestore.doc(path), data);
        await batch.commit();
      }),
    );
  } finally {
    await firestore.terminate();
  }
  return documents.length;
}

/** A client of that emulator, even if the environment names another one. */
function firestoreAt(projectId: string, host: string): Firestore {
  const { FIRESTORE_EMULATOR_HOST: other } = process.env;
  delete process.env.FIRESTORE_EMULATOR_HOST;
  try {
    return new Firestore({ projectId, host, ssl: false });
  } finally {
    if (other !== undefined) process.env.FIRESTORE_EMULATOR_HOST = other;
  }
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

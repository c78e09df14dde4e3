import { randomUUID } from 'node:crypto';
import { deleteApp, initializeApp } from 'firebase-admin/app';
import { getFirestore, type Firestore } from 'firebase-admin/firestore';
import { testStack } from './stack.ts';

/** A client of the stack's Firestore for the tests of one file; closed after the last test. */
export function stackFirestore(): Firestore {
  const app = initializeApp({ projectId: testStack().projectId }, randomUUID());
  afterAll(() => deleteApp(app));
  return getFirestore(app);
}

/** An id that no other test uses. */
export function freshId(kind: string): string {
  return `${kind}-${randomUUID()}`;
}

/** Stores documents in one collection in one commit. */
export async function store(
  firestore: Firestore,
  collection: string,
  documents: Readonly<Record<string, object>>,
): Promise<void> {
  const batch = firestore.batch();
  for (const [id, data] of Object.entries(documents)) {
    batch.set(firestore.collection(collection).doc(id), data);
  }
  await batch.commit();
}

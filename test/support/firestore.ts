import { randomUUID } from 'node:crypto';
import { LocalFirestore } from '@tattoo-marketplace/firestore-embedded';
import { getTestStack } from '../../dev/testing/testStack.ts';

/** The documents of the stack's Firestore. */
export function createStackStore(): LocalFirestore {
  const { firestoreHost, projectId } = getTestStack();
  return new LocalFirestore(firestoreHost, projectId);
}

/** An id that no other test uses. */
export function createUniqueId(kind: string): string {
  return `${kind}-${randomUUID()}`;
}

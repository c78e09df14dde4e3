import { randomUUID } from 'node:crypto';
import { LocalFirestore } from '@tattoo-marketplace/firestore-embedded';
import { getTestStack } from './processes/testStack.ts';

/** Creates a client of the stack's Firestore. */
export function createStackStore(): LocalFirestore {
  const { firestoreHost, projectId } = getTestStack();
  return new LocalFirestore(firestoreHost, projectId);
}

/** Creates an id that no other test uses. */
export function createUniqueId(prefix: string): string {
  return `${prefix}-${randomUUID()}`;
}

import { randomUUID } from 'node:crypto';
import { Store } from '../../functions/declared/store.ts';
import { testStack } from './testStack.ts';

/** The documents of the stack's Firestore. */
export function stackStore(): Store {
  const { firestoreHost, projectId } = testStack();
  return new Store(firestoreHost, projectId);
}

/** An id that no other test uses. */
export function freshId(kind: string): string {
  return `${kind}-${randomUUID()}`;
}

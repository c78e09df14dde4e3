import { LocalFirestore } from '@tattoo-marketplace/firestore-embedded';
import { getTestStack } from './testStack.ts';

/** Creates a client of the stack's Firestore. */
export function createStackFirestore(): LocalFirestore {
  const { firestoreHost, projectId } = getTestStack();
  return new LocalFirestore(firestoreHost, projectId);
}

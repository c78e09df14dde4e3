import { EmulatorClient } from '@tattoo-marketplace/firestore-embedded';
import { getTestStack } from './testStack.ts';

/** Creates a client of the stack's Firestore. */
export function createStackClient(): EmulatorClient {
  const { firestoreHost, projectId } = getTestStack();
  return new EmulatorClient(firestoreHost, projectId);
}

import { initializeFirestore, type Firestore } from 'firebase-admin/firestore';
import { firebaseApp } from './firebase.ts';

/**
 * The one Firestore client of this process, made when it is first needed. It speaks REST where it can: gRPC takes longer
 * to load, and answers no faster. An emulator's Firestore is reached by gRPC only.
 */
export function firestore(): Firestore {
  const preferRest = !process.env.FIRESTORE_EMULATOR_HOST;
  return initializeFirestore(firebaseApp(), { preferRest });
}

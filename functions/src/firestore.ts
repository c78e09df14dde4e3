import { getFirestore, type Firestore } from 'firebase-admin/firestore';
import { firebaseApp } from './firebase.ts';

/** The one Firestore client of this process, made when it is first needed. */
export function firestore(): Firestore {
  return getFirestore(firebaseApp());
}

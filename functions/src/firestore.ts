import { initializeApp } from 'firebase-admin/app';
import { getFirestore, type Firestore } from 'firebase-admin/firestore';

let client: Firestore | undefined;

/** The one Firestore client of this process, made when it is first needed. */
export function firestore(): Firestore {
  client ??= getFirestore(initializeApp());
  return client;
}

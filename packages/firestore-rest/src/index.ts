/** Firestore's REST API: see README.md. */
export { metadataTokens, type TokenSource } from './accessTokens.ts';
export { Backoff } from './backoff.ts';
export type { Limits } from './exchange.ts';
export { FirestoreError } from './firestoreError.ts';
export {
  openFirestore,
  type Changes,
  type Firestore,
  type Found,
  type Position,
  type Query,
  type StoredDocument,
  type Version,
  type Write,
} from './firestore.ts';
export * from './values.ts';

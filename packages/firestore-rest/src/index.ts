/** Firestore's REST API: see README.md. */
export { createMetadataTokenSource, type TokenSource } from './metadataTokens.ts';
export { Backoff } from './retry.ts';
export type { CallOptions } from './callOptions.ts';
export { FirestoreError } from './firestoreError.ts';
export {
  createFirestore,
  type FieldChanges,
  type Firestore,
  type QueryResult,
  type Position,
  type Query,
  type StoredDocument,
  type DocumentVersion,
  type Write,
} from './firestore.ts';
export * from './values.ts';

/** A client of Firestore's REST API: see README.md. */
export type { CallOptions } from './callOptions.ts';
export {
  createFirestore,
  type DocumentVersion,
  type FieldChanges,
  type Firestore,
  type Position,
  type Query,
  type QueryResult,
  type StoredDocument,
  type Write,
} from './firestore.ts';
export { FirestoreError } from './firestoreError.ts';
export { createMetadataTokenSource, type TokenSource } from './metadataTokens.ts';
export { Backoff } from './retry.ts';
export {
  decodePrimitive,
  encodeValue,
  getArrayElements,
  getFieldValue,
  millisToTimestamp,
  valueToMillis,
  type Fields,
  type Value,
} from './values.ts';

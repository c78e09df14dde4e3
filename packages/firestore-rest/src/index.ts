/** A client of Firestore's REST API: see README.md. */
export { createFirestore, type Firestore } from './firestore.ts';
export { FirestoreError } from './firestoreError.ts';
export type { AccessTokenSource } from './restClient.ts';
export { Backoff, type CallLimits } from './retry.ts';
export type {
  FieldChanges,
  FieldTransform,
  Position,
  Query,
  QueryResult,
  StoredDocument,
  ValueRange,
  Write,
} from './types.ts';
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

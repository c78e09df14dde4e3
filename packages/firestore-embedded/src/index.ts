/** A Firestore in one process: see README.md. */
export type { CompositeIndex } from './server/indexChecker.ts';
export {
  startEmbeddedFirestore,
  type EmbeddedFirestore,
  type EmbeddedFirestoreOptions,
} from './server/server.ts';
export type { Usage } from './server/usage.ts';
export {
  isTypedValue,
  LocalFirestore,
  jsonToFields,
  jsonToValue,
  type DocumentData,
} from './localFirestore.ts';

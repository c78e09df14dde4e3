/** A Firestore in one process: see README.md. */
export type { CompositeIndex } from './indexes.ts';
export {
  startEmbeddedFirestore,
  type EmbeddedFirestore,
  type EmbeddedFirestoreOptions,
} from './server.ts';
export type { Usage } from './usage.ts';
export {
  isTypedValue,
  LocalFirestore,
  jsonToFields,
  jsonToValue,
  type DocumentData,
} from './store.ts';

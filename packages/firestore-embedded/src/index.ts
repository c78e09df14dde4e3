/** An in-memory emulator of Firestore: see README.md. */
export { isTypedValue, jsonToFields, LocalFirestore, type DocumentData } from './localFirestore.ts';
export type { CompositeIndex } from './server/indexChecker.ts';
export { startEmbeddedFirestore, type EmbeddedFirestore } from './server/server.ts';

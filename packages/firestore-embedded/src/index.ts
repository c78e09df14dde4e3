/** An in-memory emulator of Firestore: see README.md. */
export { compareKeys, createSortKey } from './engine/sortOrder.ts';
export {
  isRestValue,
  jsonToFields,
  jsonToValue,
  EmulatorClient,
  type DocumentData,
} from './emulatorClient.ts';
export type { CompositeIndex } from './server/indexChecker.ts';
export { startEmbeddedFirestore, type EmbeddedFirestore } from './server/server.ts';

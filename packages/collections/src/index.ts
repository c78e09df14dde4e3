/** Firestore collections from declarations: see README.md. */
export {
  Collection,
  defineCollection,
  containsDocument,
  type ListDefinition,
  collectionIdOf,
} from './defineCollection.ts';
export { updateDocument, readDocument } from './document.ts';
export { createDocumentDecoder, type DocumentDecoder, isPresent } from './decodeDocument.ts';
export {
  createOwned,
  deleteOwned,
  uniqueDocuments,
  assertOwner,
  updateOwned,
} from './ownedDocuments.ts';
export { type PageRequest, readPageWithTotal, readPage } from './readPage.ts';
export {
  MAX_TIME,
  optionalRequestTime,
  requestTime,
  storedTime,
  timeSchemas,
} from './storedTime.ts';
export { readInBatches } from './readInBatches.ts';

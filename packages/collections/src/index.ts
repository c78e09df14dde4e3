/** Firestore collections from declarations: see README.md. */
export {
  type CollectionDeclaration,
  defineCollection,
  getDeclaredCollections,
  containsDocument,
  type ListDefinition,
  collectionIdOf,
} from './collection.ts';
export { updateDocument, readDocument } from './document.ts';
export { createDocumentDecoder, type DocumentDecoder, isPresent } from './documentReader.ts';
export {
  createOwned,
  deleteOwned,
  uniqueDocuments,
  assertOwner,
  updateOwned,
} from './ownedDocuments.ts';
export { type PageRequest, readPageWithTotal, readPage } from './page.ts';
export {
  TIME_ERROR_MESSAGE,
  MAX_TIME,
  optionalRequestTime,
  requestTime,
  storedTime,
  timeSchemas,
} from './times.ts';
export { readInBatches } from './wholeList.ts';

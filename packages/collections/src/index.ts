/** Firestore collections from declarations: see README.md. */
export {
  Collection,
  defineCollection,
  getDeclaredCollections,
  containsDocument,
  type ListDefinition,
  getCollectionId,
} from './defineCollection.ts';
export { readDocument, updateDocument, updateOwnDocument } from './document.ts';
export { isPresent } from './decodeDocument.ts';
export { createOwned, deleteOwned, updateOwned } from './ownedDocuments.ts';
export { type PageRequest, readPageWithTotal, readPage } from './readPage.ts';
export { optionalRequestTime, requestTime, storedTime, timeSchemas } from './storedTime.ts';
export { requireRole, listUniqueDocuments } from './requestedDocument.ts';
export { readInBatches } from './readInBatches.ts';

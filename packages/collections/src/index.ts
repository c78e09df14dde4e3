/** Firestore collections from declarations: see README.md. */
export {
  type Collection,
  defineCollection,
  getDeclaredCollections,
  containsDocument,
  type DocumentList,
  getCollectionId,
} from './defineCollection.ts';
export { createOwned } from './createOwned.ts';
export { isPresent } from './documentDecoder.ts';
export { planCreation, planTransforms } from './furtherWrites.ts';
export { deleteOwned } from './deleteOwned.ts';
export { listUniqueReferences } from './documentReference.ts';
export { assertRole } from './permissions.ts';
export { readDocument } from './readDocument.ts';
export { removeItem } from './storedLists.ts';
export { updateOwned } from './updateOwned.ts';
export { type PageRequest, readPageWithTotal, readPage } from './readPage.ts';
export { optionalRequestTime, requestTime, storedTime, timeSchemas } from './times.ts';
export { readInBatches } from './readInBatches.ts';

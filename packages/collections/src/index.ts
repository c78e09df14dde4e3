/** Firestore collections from declarations: see README.md. */
export {
  type AnyCollection,
  collection,
  declaredCollections,
  isDocumentOf,
  type List,
  nameOf,
} from './collection.ts';
export { changeDocument, readDocument } from './document.ts';
export { documentReader, type DocumentReader, hasValue } from './documentReader.ts';
export {
  createOwned,
  deleteOwned,
  namedOnce,
  requireOwner,
  updateOwned,
} from './ownedDocuments.ts';
export { type PageRequest, readCountedPage, readPage } from './page.ts';
export { EXPECTED_TIME, MAX_TIME, optionalTime, requestTime, storedTime, times } from './times.ts';
export { readInParts } from './wholeList.ts';

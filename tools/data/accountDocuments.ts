import { type Collection, containsDocument } from '@tattoo-marketplace/collections';
import {
  getFieldValue,
  type CallLimits,
  type Firestore,
  type StoredDocument,
} from '@tattoo-marketplace/firestore-rest';
import { createCollectionQuery, readPages } from './readPages.ts';

/** The fields with the two people to whom a document may belong. */
export const PEOPLE = ['artistId', 'clientId'] as const;

/** Returns whether the documents of a collection belong to an artist and a client. */
export function belongsToTwo({ schema }: Pick<Collection, 'schema'>): boolean {
  return PEOPLE.every((field) => field in schema.shape);
}

/** Reads the documents of a collection that a user owns alone, page by page, with the path of its file in Storage. */
export async function* readAccountDocuments(
  firestore: Firestore,
  collection: Collection,
  uid: string,
  createLimits: () => CallLimits,
): AsyncGenerator<readonly StoredDocument[]> {
  const { owner } = collection;
  if (owner === undefined || belongsToTwo(collection)) return;
  const query = createCollectionQuery(collection, [owner, 'sourceData.storageRef']);
  // A filter of a collection group needs an index of its own, so the documents of all users are read.
  const where = query.isCollectionGroup ? {} : { [owner]: uid };
  for await (const page of readPages(firestore, { ...query, where }, createLimits)) {
    yield page.filter(
      ({ path, fields }) =>
        containsDocument(collection, path) && getFieldValue(fields, owner)?.stringValue === uid,
    );
  }
}

import { FieldPath, type CollectionReference } from 'firebase-admin/firestore';
import type { CountedList } from './http/paging.ts';

/**
 * What an artist shows of a collection of theirs, in the artist's order: flash listings and gallery photos
 * alike. A document without `order` has no place in it: Firestore leaves such out of the query and the count.
 */
export function visibleByOrder(collection: CollectionReference, artistId: string): CountedList {
  return {
    name: `${collection.path}/${artistId}`,
    collection,
    query: collection
      .where('artistId', '==', artistId)
      .where('isVisible', '==', true)
      .orderBy('order')
      .orderBy(FieldPath.documentId()),
    contains: (document) =>
      document.get('artistId') === artistId &&
      document.get('isVisible') === true &&
      document.get('order') !== undefined,
  };
}

import { getCollectionId, type Collection } from '@tattoo-marketplace/collections';
import type {
  CallLimits,
  Firestore,
  Query,
  StoredDocument,
} from '@tattoo-marketplace/firestore-rest';

/** The number of documents on a page. It is small, because each document may have 1 MiB. */
const PAGE_SIZE = 100;

/**
 * Creates the query of all documents of a collection. With parameters in its path, it is the query of a collection group: of all
 * collections with this id, also below other documents.
 */
export function createCollectionQuery(
  definition: Collection,
  select: readonly string[] = [],
): Query {
  const collection = getCollectionId(definition);
  return { collection, isCollectionGroup: definition.path !== collection, where: {}, select };
}

/** Reads all documents of a query, page by page. */
export async function* readPages(
  firestore: Firestore,
  query: Query,
  createLimits: () => CallLimits,
): AsyncGenerator<readonly StoredDocument[]> {
  let after: StoredDocument | undefined;
  do {
    const { documents } = await firestore.find(query, PAGE_SIZE, after, createLimits());
    yield documents;
    after = documents.at(PAGE_SIZE - 1);
  } while (after !== undefined);
}

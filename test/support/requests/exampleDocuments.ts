import { containsDocument } from '@tattoo-marketplace/collections';
import type { DocumentData } from '@tattoo-marketplace/firestore-embedded';
import { COLLECTIONS } from '../../../functions/service.ts';
import { DATA_TIME, readDemoDocuments } from '../../../demo/documents.ts';

type ExampleDocument = readonly [path: string, data: DocumentData];

/** The first document of each collection in demo/data, by the path of the collection. */
const examples = new Map<string, ExampleDocument>();
// The times are those of the files, so that tests do not depend on the current week.
for (const document of readDemoDocuments(DATA_TIME)) {
  const collection = COLLECTIONS.find((candidate) => containsDocument(candidate, document[0]));
  if (collection !== undefined && !examples.has(collection.path)) {
    examples.set(collection.path, document);
  }
}

/**
 * Returns a complete, valid document of a collection (`conversations/{conversationId}/messages`) with its path: the first
 * one in demo/data.
 */
export function getExampleDocument(collectionPath: string): ExampleDocument {
  const example = examples.get(collectionPath);
  if (example === undefined) {
    const file = `demo/data/${collectionPath.replace(/\/.*/, '')}.json`;
    throw new Error(`${file} has no document of ${collectionPath}: add one with all fields.`);
  }
  // Return a copy, so that tests do not share objects. In jest, the objects of structuredClone have another realm.
  return JSON.parse(JSON.stringify(example)) as ExampleDocument;
}

/** Returns the data of a collection's example document. `fields` overrides the fields that matter in a test. */
export function createStoredDocument(
  collectionPath: string,
  fields: DocumentData = {},
): DocumentData {
  return { ...getExampleDocument(collectionPath)[1], ...fields };
}

import { demoDocuments, SETTING } from './documents.ts';
import { COLLECTIONS } from '../functions/service.ts';
import { containsDocument, collectionIdOf } from '@tattoo-marketplace/collections';
import type { DocumentData } from '@tattoo-marketplace/firestore-embedded';

/** By the name of the collection, its first document in demo/data, which is complete. */
const examples = new Map<string, readonly [path: string, data: DocumentData]>();
// The times are those of the file: tests do not depend on the week.
for (const [path, data] of demoDocuments(SETTING)) {
  const collection = COLLECTIONS.find((each) => containsDocument(each, path));
  const name = collection && collectionIdOf(collection);
  if (name !== undefined && !examples.has(name)) examples.set(name, [path, data]);
}

/** A complete, valid document of a collection (`messages`) with its path: the first one in the demo data. */
export function exampleDocument(collection: string): readonly [path: string, data: DocumentData] {
  const example = examples.get(collection);
  if (example === undefined) throw new Error(`demo/data has no document of ${collection}.`);
  // A copy, so that no test changes the documents of another. In jest, structuredClone's objects are of another realm.
  return JSON.parse(JSON.stringify(example)) as typeof example;
}

/** The example of a collection without its `id`. `fields` are the overrides that matter in a test. */
export function storedDocument(collection: string, fields: DocumentData = {}): DocumentData {
  return { ...exampleDocument(collection)[1], ...fields };
}

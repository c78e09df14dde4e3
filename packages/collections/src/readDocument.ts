/** Reads single documents that a request refers to. */
import type * as z from 'zod';
import { getDocuments } from './database.ts';
import type { Collection } from './defineCollection.ts';
import {
  missingDocumentError,
  parseReference,
  type DocumentReference,
} from './documentReference.ts';
import type { DocumentSchema, FieldName } from './documentSchema.ts';
import { resolveCollectionPath, type Params } from './listQuery.ts';

/** A document that a request refers to. */
interface DocumentLocation<Schema extends DocumentSchema> {
  readonly collection: Collection<Schema>;
  /** The values of the parameters in the collection's path: `{ conversationId }`. */
  readonly params?: Params;
  readonly document: DocumentReference;
}

/**
 * Reads fields of a document and decodes them; all other fields count as missing. Throws
 * `not-found` if the document does not exist.
 */
export async function readDocument<Schema extends DocumentSchema>(
  { collection, params = {}, document }: DocumentLocation<Schema>,
  fields: readonly FieldName<Schema>[],
): Promise<z.output<Schema>> {
  const reference = parseReference(document);
  const path = `${resolveCollectionPath(collection.path, params)}/${reference.id}`;
  const [stored] = await getDocuments([path], fields);
  const [decoded] = collection.decoder.decodeAll(stored === undefined ? [] : [stored]);
  if (decoded === undefined) throw missingDocumentError(reference);
  return decoded;
}

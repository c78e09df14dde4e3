/** Single documents. */
import type { FieldChanges, Fields } from '@tattoo-marketplace/firestore-rest';
import type { Collection } from './defineCollection.ts';
import { getDocuments } from './database.ts';
import type { DocumentSchema, FieldName } from './documentSchema.ts';
import { resolveCollectionPath, type Params } from './listQuery.ts';
import { commitWithRetries } from './optimisticCommit.ts';

/** The collection of a document, and its ID. */
interface DocumentLocation<Schema extends DocumentSchema> {
  readonly collection: Collection<Schema>;
  /** The values of the parameters in the collection's path: `{ conversationId }`. */
  readonly params?: Params;
  readonly id: string;
}

/** Reads fields of a document; undefined if it does not exist. */
export async function readDocument<Schema extends DocumentSchema>(
  location: DocumentLocation<Schema>,
  fields: readonly FieldName<Schema>[],
): Promise<Fields | undefined> {
  const [document] = await getDocuments([resolveDocumentPath(location)], fields);
  return document?.fields;
}

/**
 * Changes a document based on its stored fields. `change` gets these fields, or undefined if the document does not exist.
 * It returns new values for some of them, or undefined to change nothing, and may throw.
 */
export async function updateDocument<Schema extends DocumentSchema>(
  location: DocumentLocation<Schema>,
  fields: readonly FieldName<Schema>[],
  change: (stored: Fields | undefined) => FieldChanges | undefined,
): Promise<void> {
  await commitWithRetries(async () => {
    const [document] = await getDocuments([resolveDocumentPath(location)], fields);
    const changes = change(document?.fields);
    return document && changes ? [{ update: document, changes }] : [];
  });
}

function resolveDocumentPath<Schema extends DocumentSchema>({
  collection,
  params = {},
  id,
}: DocumentLocation<Schema>): string {
  return `${resolveCollectionPath(collection.path, params)}/${id}`;
}

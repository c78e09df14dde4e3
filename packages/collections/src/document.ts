/** Reads single documents that a request refers to, and changes them based on their stored fields. */
import { HttpsError } from 'firebase-functions/https';
import type * as z from 'zod';
import type { FieldChanges, Fields } from '@tattoo-marketplace/firestore-rest';
import { getDocuments } from './database.ts';
import type { Collection } from './defineCollection.ts';
import type { DocumentSchema, FieldName } from './documentSchema.ts';
import { resolveCollectionPath, type Params } from './listQuery.ts';
import { commitWithRetries } from './optimisticCommit.ts';
import { completeChange, getOwnerField } from './ownedDocuments.ts';
import { assertOwner, missingDocumentError, type RequestedDocument } from './requestedDocument.ts';

/** A document that a request refers to. */
interface DocumentLocation<Schema extends DocumentSchema> {
  readonly collection: Collection<Schema>;
  /** The values of the parameters in the collection's path: `{ conversationId }`. */
  readonly params?: Params;
  readonly document: RequestedDocument;
}

/** A document that a request changes. */
interface DocumentChange<Schema extends DocumentSchema> extends DocumentLocation<Schema> {
  readonly caller: string;
  /** The field with the uid of the user who may change it: by default the collection's owner. */
  readonly ownedBy?: FieldName<Schema>;
}

/**
 * Reads fields of a document and decodes them; all other fields count as missing. Throws
 * `not-found` if the document does not exist.
 */
export async function readDocument<Schema extends DocumentSchema>(
  { collection, params = {}, document }: DocumentLocation<Schema>,
  fields: readonly FieldName<Schema>[],
): Promise<z.output<Schema>> {
  const path = `${resolveCollectionPath(collection.path, params)}/${document.id}`;
  const [stored] = await getDocuments([path], fields);
  const [decoded] = collection.decoder.decodeAll(stored === undefined ? [] : [stored]);
  if (decoded === undefined) throw missingDocumentError(document);
  return decoded;
}

/**
 * Changes a document based on its stored fields. `buildChange` gets the requested fields as
 * Firestore stores them. It returns new values for some of them, or undefined to change nothing,
 * and may throw. Times keep their format, and `updatedAt` is set as in `updateOwned`. Throws
 * `not-found` if the document does not exist, and `permission-denied` if it belongs to another user.
 */
export async function updateDocument<Schema extends DocumentSchema>(
  { collection, params = {}, document, caller, ownedBy }: DocumentChange<Schema>,
  fields: readonly FieldName<Schema>[],
  buildChange: (stored: Fields) => FieldChanges | undefined,
): Promise<void> {
  const owner = getOwnerField(collection, ownedBy);
  const path = `${resolveCollectionPath(collection.path, params)}/${document.id}`;
  await updateStored(collection, path, [owner, ...fields], (stored) => {
    if (stored === undefined) throw missingDocumentError(document);
    assertOwner(stored[owner], caller, document);
    return buildChange(stored);
  });
}

/**
 * Changes the caller's own document, whose ID is the caller's uid, like `updateDocument`. Throws
 * `not-found` if it does not exist.
 */
export async function updateOwnDocument<Schema extends DocumentSchema>(
  { collection, caller }: { readonly collection: Collection<Schema>; readonly caller: string },
  fields: readonly FieldName<Schema>[],
  buildChange: (stored: Fields) => FieldChanges | undefined,
): Promise<void> {
  const path = `${resolveCollectionPath(collection.path, {})}/${caller}`;
  await updateStored(collection, path, fields, (stored) => {
    if (stored !== undefined) return buildChange(stored);
    throw new HttpsError('not-found', 'There is no profile for this account.');
  });
}

/** Changes a document. `buildChange` gets its stored fields, or undefined if it does not exist. */
async function updateStored<Schema extends DocumentSchema>(
  collection: Collection<Schema>,
  path: string,
  fields: readonly string[],
  buildChange: (stored: Fields | undefined) => FieldChanges | undefined,
): Promise<void> {
  await commitWithRetries(async () => {
    const [document] = await getDocuments([path], [...fields, ...collection.timeFields]);
    const change = buildChange(document?.fields);
    if (document === undefined || change === undefined) return [];
    const changes = completeChange(collection, change, document.fields, Date.now());
    return [{ update: document, changes }];
  });
}

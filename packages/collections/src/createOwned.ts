/** Creates a document of the caller. */
import { isDocumentId } from '@tattoo-marketplace/endpoints';
import { getDocuments } from './database.ts';
import type { Collection } from './defineCollection.ts';
import type { DocumentSchema, FieldName } from './documentSchema.ts';
import { encodeNewDocument, type FieldValues } from './encodeChanges.ts';
import { hasTakenDocument, type FurtherWrite } from './furtherWrites.ts';
import { resolveCollectionPath, type Params } from './listQuery.ts';
import { commitCreation } from './optimisticCommit.ts';
import { getOwner, getOwnerField } from './permissions.ts';

/** The document to create. */
export interface NewOwnedDocument<Schema extends DocumentSchema> {
  readonly collection: Collection<Schema>;
  /** The values of the parameters in the collection's path: `{ conversationId }`. */
  readonly params?: Params;
  /** The `newDocumentId` that the handler received. */
  readonly id: string;
  readonly callerId: string;
  /** The field that stores the caller's uid: by default the collection's owner. */
  readonly ownedBy?: FieldName<Schema>;
}

/**
 * Creates a document owned by the caller and returns its ID. The fields in `serverTimestamps` are
 * set to the server's time. An existing document of the caller with that ID was created by this
 * request, or by an earlier one with the same `Idempotency-Key`. Throws `already-exists` if it
 * belongs to another user.
 *
 * The `furtherWrites` are committed with it, all or none, and once for all requests with the same key. Throws
 * `already-exists` if one of their new documents exists, and `not-found` if a document that they change does not.
 */
export async function createOwned<Schema extends DocumentSchema>(
  { collection, params = {}, id, callerId, ownedBy }: NewOwnedDocument<Schema>,
  values: FieldValues<Schema>,
  serverTimestamps: readonly FieldName<Schema>[],
  furtherWrites: readonly FurtherWrite[] = [],
): Promise<string> {
  // The types require an ID, but code with unchecked types must not create `things/undefined`.
  if (typeof id !== 'string' || !isDocumentId(id)) {
    throw new Error(
      'createOwned needs an ID: declare `createsDocument: true` in the endpoint, and pass the `newDocumentId` that its handler receives as `id`.',
    );
  }
  const ownerField = getOwnerField(collection, ownedBy);
  const path = `${resolveCollectionPath(collection.path, params)}/${id}`;
  const owned = { ...values, [ownerField]: callerId };
  const fields = encodeNewDocument(collection, owned, serverTimestamps);
  await commitCreation({ create: path, fields }, furtherWrites, async () => {
    // One read, so that it shows all or nothing of a commit.
    const [stored, ...further] = await getDocuments(
      [path, ...furtherWrites.map((write) => write.path)],
      [ownerField, ...furtherWrites.flatMap((write) => write.fields)],
    );
    if (stored !== undefined) {
      return getOwner(stored, ownerField) === callerId ? 'caller' : 'another user';
    }
    return hasTakenDocument(furtherWrites, further) ? 'another user' : 'none';
  });
  return id;
}

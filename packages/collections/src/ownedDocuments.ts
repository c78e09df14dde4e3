/** Creates a document, or changes or deletes documents of one owner, all or none. */
import { isDocumentId } from '@tattoo-marketplace/endpoints';
import {
  decodePrimitive,
  encodeValue,
  type DocumentVersion,
  type FieldChanges,
  type Fields,
  type StoredDocument,
} from '@tattoo-marketplace/firestore-rest';
import { getDocuments } from './database.ts';
import type { Collection } from './defineCollection.ts';
import type { DocumentSchema, FieldName } from './documentSchema.ts';
import { resolveCollectionPath, type Params } from './listQuery.ts';
import { commitCreation, commitWithRetries } from './optimisticCommit.ts';
import { assertOwner, missingDocumentError, type RequestedDocument } from './requestedDocument.ts';
import { encodeChanges, preserveTimeFormats } from './timeFormats.ts';

/** Documents of one collection, and the user who must be the stored owner of each. */
export interface OwnedDocuments<Schema extends DocumentSchema> {
  readonly collection: Collection<Schema>;
  /** The values of the parameters in the collection's path: `{ conversationId }`. */
  readonly params?: Params;
  readonly documents: readonly RequestedDocument[];
  readonly caller: string;
  /** The field with the uid of the user who owns the documents: by default the collection's owner. */
  readonly ownedBy?: FieldName<Schema>;
}

/** Values for fields of a document. */
type FieldValues<Schema extends DocumentSchema> = Readonly<
  Partial<Record<FieldName<Schema>, unknown>>
>;

/** The document to create: `id` is the `newDocumentId` that the handler received. */
export interface NewOwnedDocument<Schema extends DocumentSchema> extends Omit<
  OwnedDocuments<Schema>,
  'documents'
> {
  readonly id: string;
}

/**
 * Creates a document owned by the caller and returns its ID. The fields in `serverTimestamps` are
 * set to the server's time. An existing document of the caller with that ID was created by this
 * request, or by an earlier one with the same `Idempotency-Key`. Throws `already-exists` if it
 * belongs to another user.
 */
export async function createOwned<Schema extends DocumentSchema>(
  { collection, params = {}, id, caller, ownedBy }: NewOwnedDocument<Schema>,
  values: FieldValues<Schema>,
  serverTimestamps: readonly FieldName<Schema>[],
): Promise<string> {
  // The types require an ID, but code with unchecked types must not create `things/undefined`.
  if (typeof id !== 'string' || !isDocumentId(id)) {
    throw new Error(
      'createOwned needs an ID: declare `createsDocument: true` in the endpoint, and pass the `newDocumentId` that its handler receives as `id`.',
    );
  }
  const owner = getOwnerField(collection, ownedBy);
  const path = `${resolveCollectionPath(collection.path, params)}/${id}`;
  const now = Date.now();
  const times = Object.fromEntries(serverTimestamps.map((field) => [field, now]));
  const fields = preserveTimeFormats(
    encodeChanges({ ...values, ...times, [owner]: caller }),
    {},
    collection.timeFields,
  );
  await commitCreation({ create: path, fields }, async () => {
    const [stored] = await getDocuments([path], [owner]);
    if (stored === undefined) return 'none';
    return decodePrimitive(stored.fields[owner]) === caller ? 'caller' : 'another user';
  });
  return id;
}

/**
 * Updates fields of documents; an undefined field is removed. If the schema has `updatedAt`, it is
 * set to the server's time after the documents were read. The stored time is ignored, so that a
 * wrong one does not spread. Throws `not-found` if a document does not exist, and
 * `permission-denied` if it belongs to another user. `buildChange` runs after these checks and may
 * throw.
 */
export async function updateOwned<Schema extends DocumentSchema>(
  owned: OwnedDocuments<Schema>,
  buildChange: (requested: RequestedDocument) => FieldValues<Schema>,
): Promise<void> {
  const { collection } = owned;
  // The changes are encoded once, because the commit may be retried many times under contention.
  let encodedChanges: readonly FieldChanges[] | undefined;
  await commitWithRetries(async () => {
    // The stored times determine the format of the new ones.
    const documents = await readAndCheckOwners(owned, collection.timeFields);
    const changes = (encodedChanges ??= documents.map(({ requested }) =>
      encodeChanges(buildChange(requested)),
    ));
    const now = Date.now();
    return documents.map(({ stored }, index) => ({
      update: toVersion(stored),
      changes: completeChange(collection, changes[index] ?? {}, stored.fields, now),
    }));
  });
}

/** Deletes documents. Throws like `updateOwned`. */
export async function deleteOwned<Schema extends DocumentSchema>(
  owned: OwnedDocuments<Schema>,
): Promise<void> {
  await commitWithRetries(async () => {
    const documents = await readAndCheckOwners(owned, []);
    return documents.map(({ stored }) => ({ delete: toVersion(stored) }));
  });
}

/** Picks the path and version of a document. Its fields would otherwise stay in memory while the commit is retried. */
function toVersion({ path, updateTime }: StoredDocument): DocumentVersion {
  return { path, updateTime };
}

/** Reads the documents. Checks first that all exist, then that the caller owns all of them. */
async function readAndCheckOwners<Schema extends DocumentSchema>(
  {
    collection,
    params = {},
    documents: requestedDocuments,
    caller,
    ownedBy,
  }: OwnedDocuments<Schema>,
  fields: readonly string[],
): Promise<{ readonly requested: RequestedDocument; readonly stored: StoredDocument }[]> {
  const owner = getOwnerField(collection, ownedBy);
  const collectionPath = resolveCollectionPath(collection.path, params);
  const storedDocuments = await getDocuments(
    requestedDocuments.map(({ id }) => `${collectionPath}/${id}`),
    [owner, ...fields],
  );
  const documents = requestedDocuments.map((requested, index) => {
    const stored = storedDocuments[index];
    if (stored === undefined) throw missingDocumentError(requested);
    return { requested, stored };
  });
  for (const { requested, stored } of documents) {
    assertOwner(stored.fields[owner], caller, requested);
  }
  return documents;
}

/**
 * Completes a change as it is committed: with `updatedAt` if the schema has it, and with times in
 * their stored formats.
 */
export function completeChange(
  collection: Collection,
  change: FieldChanges,
  stored: Fields,
  now: number,
): FieldChanges {
  const updatedAt = 'updatedAt' in collection.schema.shape && { updatedAt: encodeValue(now) };
  return preserveTimeFormats({ ...change, ...updatedAt }, stored, collection.timeFields);
}

/** Returns the field with the uid of the user who owns a document. */
export function getOwnerField({ owner, path }: Collection, ownedBy = owner): string {
  if (ownedBy !== undefined) return ownedBy;
  throw new Error(`The collection ${path} declares no owner, so \`ownedBy\` is required.`);
}

/** Creates a document, or changes or deletes documents of one owner, all or none. */
import { FieldError, isDocumentId, type RequestField } from '@tattoo-marketplace/endpoints';
import type { Collection } from './defineCollection.ts';
import { getDocuments } from './database.ts';
import type { DocumentSchema, FieldName } from './documentSchema.ts';
import { resolveCollectionPath, type Params } from './listQuery.ts';
import { commitCreation, commitWithRetries } from './optimisticCommit.ts';
import { encodeChanges, preserveTimeFormats } from './timeFormats.ts';
import {
  decodePrimitive,
  encodeValue,
  type FieldChanges,
  type StoredDocument,
  type Value,
  type DocumentVersion,
} from '@tattoo-marketplace/firestore-rest';

/** A document that a request names. */
export type RequestedDocument = Required<RequestField>;

/** Documents of one collection, and the user who must be the stored owner of each. */
export interface OwnedDocuments<Schema extends DocumentSchema> {
  readonly collection: Collection<Schema>;
  /** The values of the placeholders in its path: `{ conversationId }`. */
  readonly params?: Params;
  readonly documents: readonly RequestedDocument[];
  readonly caller: string;
}

/** Values for fields of a document. */
type FieldValues<Schema extends DocumentSchema> = Readonly<
  Partial<Record<FieldName<Schema>, unknown>>
>;

/** The distinct documents in a list of IDs, each with the field of its first occurrence. */
export function uniqueDocuments(field: string, ids: readonly string[]): RequestedDocument[] {
  const first = new Map<string, RequestedDocument>();
  ids.forEach((id, index) => {
    if (!first.has(id)) first.set(id, { id, field: `${field}[${index}]` });
  });
  return [...first.values()];
}

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
  { collection, params = {}, id, caller }: NewOwnedDocument<Schema>,
  values: FieldValues<Schema>,
  serverTimestamps: readonly FieldName<Schema>[],
): Promise<string> {
  // The types already require an ID. Code whose types were not checked must not create `things/undefined`.
  if (typeof id !== 'string' || !isDocumentId(id)) {
    throw new Error(
      'createOwned needs an ID: declare `createsDocument: true` in the endpoint, and pass the `newDocumentId` that its handler receives as `id`.',
    );
  }
  const owner = getOwnerField(collection);
  const path = `${resolveCollectionPath(collection.path, params)}/${id}`;
  const now = Date.now();
  const times = Object.fromEntries(serverTimestamps.map((field) => [field, now]));
  const fields = preserveTimeFormats(
    encodeChanges({ ...values, ...times, [owner]: caller }),
    {},
    collection,
  );
  await commitCreation({ create: path, fields }, async () => {
    const [stored] = await getDocuments([path], [owner]);
    if (stored === undefined) return 'nobody';
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
  const { timeFields, schema } = owned.collection;
  // Encoded once, because the commit may be retried many times under contention.
  let encodedChanges: readonly FieldChanges[] | undefined;
  await commitWithRetries(async () => {
    // The stored times determine the format of the new ones.
    const found = await readAndCheckOwners(owned, timeFields);
    const changes = (encodedChanges ??= found.map(({ requested }) =>
      encodeChanges(buildChange(requested)),
    ));
    const updatedAt = encodeValue(Date.now());
    return found.map(({ document }, index) => {
      const change = { ...changes[index], ...('updatedAt' in schema.shape && { updatedAt }) };
      return {
        update: toVersion(document),
        changes: preserveTimeFormats(change, document.fields, owned.collection),
      };
    });
  });
}

/** Deletes documents. Throws what `updateOwned` throws. */
export async function deleteOwned<Schema extends DocumentSchema>(
  owned: OwnedDocuments<Schema>,
): Promise<void> {
  await commitWithRetries(async () =>
    (await readAndCheckOwners(owned, [])).map(({ document }) => ({ delete: toVersion(document) })),
  );
}

/** Keeps only what a write needs. The fields would stay in memory while the commit is retried. */
function toVersion({ path, updateTime }: StoredDocument): DocumentVersion {
  return { path, updateTime };
}

/** Reads the documents. Checks first that all exist, then that all have this owner. */
async function readAndCheckOwners<Schema extends DocumentSchema>(
  { collection, params = {}, documents: all, caller }: OwnedDocuments<Schema>,
  fields: readonly string[],
): Promise<{ readonly requested: RequestedDocument; readonly document: StoredDocument }[]> {
  const owner = getOwnerField(collection);
  const collectionPath = resolveCollectionPath(collection.path, params);
  const documents = await getDocuments(
    all.map(({ id }) => `${collectionPath}/${id}`),
    [owner, ...fields],
  );
  const found = all.map((requested, index) => {
    const document = documents[index];
    if (document !== undefined) return { requested, document };
    throw new FieldError('not-found', requested, 'refers to a document that does not exist');
  });
  for (const { requested, document } of found) {
    assertOwner(document.fields[owner], caller, requested);
  }
  return found;
}

/** Throws `permission-denied` unless the stored owner is the caller. */
export function assertOwner(
  owner: Value | undefined,
  caller: string,
  requested: RequestedDocument,
): void {
  if (decodePrimitive(owner) === caller) return;
  throw new FieldError('permission-denied', requested, 'refers to a document that you do not own');
}

/** The field with the owner's uid. */
function getOwnerField({ owner, path }: Collection): string {
  if (owner === undefined) throw new Error(`The collection ${path} declares no owner.`);
  return owner;
}

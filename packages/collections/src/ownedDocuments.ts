/** Creates a document, or changes or deletes documents of one owner, all or none. */
import {
  currentContext,
  FieldError,
  type RequestField,
  ServiceError,
} from '@tattoo-marketplace/endpoints';
import type { AnyCollection, FieldOf } from './collection.ts';
import { getDocuments } from './database.ts';
import type { DocumentSchema } from './documentReader.ts';
import { folderOf, type KeysOf } from './listQuery.ts';
import { create, optimistically } from './optimistic.ts';
import { toChanges, withKinds } from './storedTimes.ts';
import {
  decodePrimitive,
  encodeValue,
  type FieldChanges,
  type StoredDocument,
  type Value,
  type DocumentVersion,
} from '@tattoo-marketplace/firestore-rest';

/** A document that a request names. */
export type NamedDocument = Required<RequestField>;

/** Documents of one collection, and the user who must be the stored owner of each. */
export interface OwnedDocuments<Schema extends DocumentSchema> {
  readonly collection: AnyCollection<Schema, FieldOf<Schema>>;
  /** The values of the placeholders in its path: `{ conversationId }`. */
  readonly keys?: KeysOf<string>;
  readonly named: readonly NamedDocument[];
  readonly caller: string;
}

/** Values for fields of a document. */
type FieldValues<Schema extends DocumentSchema> = Readonly<
  Partial<Record<FieldOf<Schema>, unknown>>
>;

/** The distinct documents in a list of IDs, each with the field of its first occurrence. */
export function namedOnce(field: string, ids: readonly string[]): NamedDocument[] {
  const first = new Map<string, NamedDocument>();
  ids.forEach((id, index) => {
    if (!first.has(id)) first.set(id, { id, field: `${field}[${index}]` });
  });
  return [...first.values()];
}

/**
 * Creates a document owned by the caller, with the ID that was assigned to this request, and
 * returns that ID. The fields in `serverTimestamps` are set to the server's time. An existing
 * document of the caller with that ID was created by this request, or by an earlier one with the
 * same `Idempotency-Key`. Throws `already-exists` if it belongs to another user.
 */
export async function createOwned<Schema extends DocumentSchema>(
  { collection, keys = {}, caller }: Omit<OwnedDocuments<Schema>, 'named'>,
  values: FieldValues<Schema>,
  serverTimes: readonly FieldOf<Schema>[],
): Promise<string> {
  const context = currentContext();
  const id = context.newDocumentId;
  if (id === undefined)
    throw new Error(
      'createOwned needs an endpoint with `createsDocument`, and can be called once per request.',
    );
  context.newDocumentId = undefined;
  const { owner } = collection;
  const path = `${folderOf(collection, keys)}/${id}`;
  const now = Date.now();
  const times = Object.fromEntries(serverTimes.map((field) => [field, now]));
  const fields = withKinds(toChanges({ ...values, ...times, [owner]: caller }), {}, collection);
  await create({ create: path, fields }, async () => {
    const [stored] = await getDocuments([path], [owner]);
    if (stored === undefined) return false;
    if (decodePrimitive(stored.fields[owner]) === caller) return true;
    throw new ServiceError('already-exists', 'The document exists already.');
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
  changeOf: (named: NamedDocument) => FieldValues<Schema>,
): Promise<void> {
  const { times, schema } = owned.collection;
  // Encoded once, because the commit may be retried many times under contention.
  let converted: readonly FieldChanges[] | undefined;
  await optimistically(async () => {
    // The stored times determine the format of the new ones.
    const found = await readOwned(owned, times);
    const changes = (converted ??= found.map(({ named }) => toChanges(changeOf(named))));
    const updatedAt = encodeValue(Date.now());
    return found.map(({ document }, index) => {
      const change = { ...changes[index], ...('updatedAt' in schema.shape && { updatedAt }) };
      return {
        update: versionOf(document),
        changes: withKinds(change, document.fields, owned.collection),
      };
    });
  });
}

/** Deletes documents. Throws what `updateOwned` throws. */
export async function deleteOwned<Schema extends DocumentSchema>(
  owned: OwnedDocuments<Schema>,
): Promise<void> {
  await optimistically(async () =>
    (await readOwned(owned, [])).map(({ document }) => ({ delete: versionOf(document) })),
  );
}

/** Keeps only what a write needs. The fields would stay in memory while the commit is retried. */
function versionOf({ path, updateTime }: StoredDocument): DocumentVersion {
  return { path, updateTime };
}

/** Reads the documents. Checks first that all exist, then that all have this owner. */
async function readOwned<Schema extends DocumentSchema>(
  { collection, keys = {}, named: all, caller }: OwnedDocuments<Schema>,
  fields: readonly string[],
): Promise<{ readonly named: NamedDocument; readonly document: StoredDocument }[]> {
  const { owner } = collection;
  const folder = folderOf(collection, keys);
  const documents = await getDocuments(
    all.map(({ id }) => `${folder}/${id}`),
    [owner, ...fields],
  );
  const found = all.map((named, index) => {
    const document = documents[index];
    if (document !== undefined) return { named, document };
    throw new FieldError('not-found', named, 'refers to a document that does not exist');
  });
  for (const { named, document } of found) {
    requireOwner(document.fields[owner], caller, named);
  }
  return found;
}

/** Throws `permission-denied` unless the stored owner is the caller. */
export function requireOwner(owner: Value | undefined, caller: string, named: NamedDocument): void {
  if (decodePrimitive(owner) === caller) return;
  throw new FieldError('permission-denied', named, 'refers to a document that you do not own');
}

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
  fromValue,
  toValue,
  type Changes,
  type StoredDocument,
  type Value,
  type Version,
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

/** The documents that a list of ids names, without repetitions. */
export function namedOnce(field: string, ids: readonly string[]): NamedDocument[] {
  const first = new Map<string, NamedDocument>();
  ids.forEach((id, index) => {
    if (!first.has(id)) first.set(id, { id, field: `${field}[${index}]` });
  });
  return [...first.values()];
}

/**
 * Creates a document of the caller with the id of this request, and returns the id. The server's time goes into the fields
 * that `serverTimes` names. If the id is taken by a document of the caller, this request or an earlier one with the same
 * `Idempotency-Key` has created it. Throws `already-exists` if it is somebody else's.
 */
export async function createOwned<Schema extends DocumentSchema>(
  { collection, keys = {}, caller }: Omit<OwnedDocuments<Schema>, 'named'>,
  values: FieldValues<Schema>,
  serverTimes: readonly FieldOf<Schema>[],
): Promise<string> {
  const context = currentContext();
  const id = context.newId;
  if (id === undefined) throw new Error('An endpoint that `creates` has one id for each request.');
  context.newId = undefined;
  const { owner } = collection;
  const path = `${folderOf(collection, keys)}/${id}`;
  const now = Date.now();
  const times = Object.fromEntries(serverTimes.map((field) => [field, now]));
  const fields = withKinds(toChanges({ ...values, ...times, [owner]: caller }), {}, collection);
  await create({ create: path, fields }, async () => {
    const [stored] = await getDocuments([path], [owner]);
    if (stored === undefined) return false;
    if (fromValue(stored.fields[owner]) === caller) return true;
    throw new ServiceError('already-exists', 'The document exists already.');
  });
  return id;
}

/**
 * Replaces fields of documents; one that is undefined is removed. `updatedAt`, where the collection has it, becomes the server's
 * time after the documents were read, whatever time is stored, so that a wrong one does not spread. Throws `not-found` if a
 * document does not exist, and `permission-denied` if one has another owner. `changeOf` runs after these checks, and
 * may throw.
 */
export async function updateOwned<Schema extends DocumentSchema>(
  owned: OwnedDocuments<Schema>,
  changeOf: (named: NamedDocument) => FieldValues<Schema>,
): Promise<void> {
  const { times, schema } = owned.collection;
  // Converted once: a request may be tried many times against others at the same document.
  let converted: readonly Changes[] | undefined;
  await optimistically(async () => {
    // The kinds of stored times say in which kind new ones are written.
    const found = await readOwned(owned, times);
    const changes = (converted ??= found.map(({ named }) => toChanges(changeOf(named))));
    const updatedAt = toValue(Date.now());
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

/** What a write of a document needs: its fields take memory, and the commit may have to be sent again. */
function versionOf({ path, updateTime }: StoredDocument): Version {
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
    throw new FieldError('not-found', named, 'names a document that does not exist');
  });
  for (const { named, document } of found) {
    requireOwner(document.fields[owner], caller, named);
  }
  return found;
}

/** Throws `permission-denied` unless the stored owner is the caller. */
export function requireOwner(owner: Value | undefined, caller: string, named: NamedDocument): void {
  if (fromValue(owner) === caller) return;
  throw new FieldError('permission-denied', named, 'names a document that is not yours');
}

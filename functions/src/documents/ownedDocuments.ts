/** Changes or deletes documents of one owner, all or none. */
import { FieldError, type RequestField } from '../errors.ts';
import type { AnyCollection, FieldOf } from './collection.ts';
import { getDocuments } from './database.ts';
import type { DocumentSchema } from './documentReader.ts';
import { optimistically } from './optimistic.ts';
import { toChanges, withKinds } from './storedTimes.ts';
import {
  fromValue,
  toValue,
  type StoredDocument,
  type Value,
  type Version,
} from '@tattoo-marketplace/firestore-rest';

/** A document that a request names. */
export type NamedDocument = Required<RequestField>;

/** Documents of one collection, and the user who must be the stored owner of each. */
export interface OwnedDocuments<Schema extends DocumentSchema> {
  readonly collection: AnyCollection<Schema, FieldOf<Schema>>;
  readonly named: readonly NamedDocument[];
  readonly caller: string;
}

/** The documents that a list of ids names, without repetitions. */
export function namedOnce(field: string, ids: readonly string[]): NamedDocument[] {
  const first = new Map<string, NamedDocument>();
  ids.forEach((id, index) => {
    if (!first.has(id)) first.set(id, { id, field: `${field}[${index}]` });
  });
  return [...first.values()];
}

/**
 * Replaces fields of documents; one that is undefined is removed. `updatedAt`, where the collection has it, becomes the server's
 * time after the documents were read, whatever time is stored, so that a wrong one does not spread. Throws `not-found` if a
 * document does not exist, and `permission-denied` if one has another owner. `requireMore` runs after these checks and may
 * throw.
 */
export async function updateOwned<Schema extends DocumentSchema>(
  owned: OwnedDocuments<Schema>,
  changeOf: (named: NamedDocument) => Readonly<Partial<Record<FieldOf<Schema>, unknown>>>,
  requireMore: () => void = () => undefined,
): Promise<void> {
  const { times, schema } = owned.collection;
  // Converted once: a request may be tried many times against others at the same document.
  const changes = new Map(owned.named.map((named) => [named, toChanges(changeOf(named))]));
  await optimistically(async () => {
    // The kinds of stored times say in which kind new ones are written.
    const found = await readOwned(owned, times);
    requireMore();
    const updatedAt = toValue(Date.now());
    return found.map(({ named, document }) => {
      const change = { ...changes.get(named), ...('updatedAt' in schema.shape && { updatedAt }) };
      return { update: versionOf(document), changes: withKinds(change, document.fields, times) };
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
  { collection: { path, owner }, named: all, caller }: OwnedDocuments<Schema>,
  fields: readonly string[],
): Promise<{ readonly named: NamedDocument; readonly document: StoredDocument }[]> {
  const documents = await getDocuments(
    all.map(({ id }) => `${path}/${id}`),
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

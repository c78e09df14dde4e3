/** Changes or deletes documents of one owner, all or none. */
import { HttpsError } from 'firebase-functions/https';
import { getDocuments } from './database.ts';
import { optimistically } from './optimistic.ts';
import type { StoredNames } from './storedNames.ts';
import { fromValue, type StoredDocument, type Value } from '@tattoo-marketplace/firestore-rest';

/** A document that a request names. */
export interface NamedDocument {
  readonly id: string;
  /** The field that names it, as the caller wrote it: `flashUpdates[3].id`. */
  readonly field: string;
}

/** Documents of one collection, and the user whose id must be the stored `artistId` of each. */
export interface OwnedDocuments {
  readonly collection: string;
  /** Under which names its fields are stored. */
  readonly names: StoredNames;
  readonly named: readonly NamedDocument[];
  readonly owner: string;
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
 * Replaces fields of documents; a field that is undefined is removed. `changeOf` gets the time of the change: the server's
 * after the documents were read, whatever time is stored, so that a wrong one does not spread. Throws `not-found` if a
 * document does not exist, and `permission-denied` if one has another owner. `requireMore` runs after these checks and may
 * throw.
 */
export async function updateOwned(
  owned: OwnedDocuments,
  changeOf: (named: NamedDocument, updatedAt: number) => Readonly<Record<string, unknown>>,
  requireMore: () => void = () => undefined,
): Promise<void> {
  const { names } = owned;
  // The fields that change: they are read as well, for the kind of stored times, and to recognize a lost commit.
  const fields = new Set(owned.named.flatMap((named) => Object.keys(changeOf(named, 0))));
  await optimistically(async () => {
    const found = await readOwned(owned, [...fields]);
    requireMore();
    const updatedAt = Date.now();
    return found.map(({ named, document }) => ({
      update: document,
      changes: names.changes(changeOf(named, updatedAt), document.fields),
    }));
  });
}

/** Deletes documents. Throws what `updateOwned` throws. */
export async function deleteOwned(owned: OwnedDocuments): Promise<void> {
  await optimistically(async () =>
    (await readOwned(owned, [])).map(({ document }) => ({ delete: document })),
  );
}

/** Reads the documents. Checks first that all exist, then that all have this owner. */
async function readOwned(
  { collection, names, named: all, owner }: OwnedDocuments,
  fields: readonly string[],
): Promise<{ readonly named: NamedDocument; readonly document: StoredDocument }[]> {
  const documents = await getDocuments(
    all.map(({ id }) => `${collection}/${id}`),
    ['artistId', ...fields].flatMap((field) => names.of(field)),
  );
  const found = all.map((named, index) => {
    const document = documents[index];
    if (document !== undefined) return { named, document };
    throw new HttpsError('not-found', `${named.field} names a document that does not exist.`);
  });
  for (const { named, document } of found) {
    requireOwner(names.read(document.fields).artistId, owner, named.field);
  }
  return found;
}

/** Throws `permission-denied` unless the stored `artistId` is the owner's. */
export function requireOwner(artistId: Value | undefined, owner: string, field: string): void {
  if (fromValue(artistId) === owner) return;
  throw new HttpsError('permission-denied', `${field} names a document that is not yours.`);
}

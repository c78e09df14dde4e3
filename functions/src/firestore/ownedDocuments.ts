/** Changes or deletes documents of one owner, all or none. */
import { isDeepStrictEqual } from 'node:util';
import { HttpsError } from 'firebase-functions/https';
import { getDocuments, type StoredDocument } from './documents.ts';
import { optimistically, replacement, type Replacement } from './optimistic.ts';
import { fromValue, type Value } from './values.ts';

/** A document that a request names. */
export interface NamedDocument {
  readonly id: string;
  /** The field that names it, as the caller wrote it: `flashUpdates[3].id`. */
  readonly field: string;
}

/** Documents of one collection, and the user whose id must be the stored `artistId` of each. */
export interface OwnedDocuments {
  readonly collection: string;
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
 * Replaces fields of documents; a field that is undefined is removed. Throws `not-found` if a document does not exist,
 * and `permission-denied` if one has another owner. `requireMore` runs after these checks and may throw.
 */
export async function updateOwned(
  owned: OwnedDocuments,
  changeOf: (named: NamedDocument) => Readonly<Record<string, unknown>>,
  requireMore: () => void = () => undefined,
): Promise<void> {
  const changes = owned.named.map((named) => replacement(changeOf(named)));
  const changed = [...new Set(changes.flatMap(({ mask }) => mask))];
  await optimistically(async (mayBeDone) => {
    const documents = requireOwned(await read(owned, mayBeDone ? changed : []), owned);
    requireMore();
    const writes = documents.map((document, index) => ({
      update: document,
      ...(changes[index] ?? { fields: {}, mask: [] }),
    }));
    // An earlier attempt may have succeeded even though its response was lost.
    return mayBeDone ? writes.filter((write) => !isSet(write.update, write)) : writes;
  });
}

/** Deletes documents. Throws what `updateOwned` throws. */
export async function deleteOwned(owned: OwnedDocuments): Promise<void> {
  let { named } = owned;
  await optimistically(async (mayBeDone) => {
    let documents = await read({ ...owned, named }, []);
    if (mayBeDone) {
      // Documents that are missing now were deleted by the earlier commit.
      named = named.filter((_named, index) => documents[index] !== undefined);
      documents = documents.filter((document) => document !== undefined);
    }
    return requireOwned(documents, { ...owned, named }).map((document) => ({ delete: document }));
  });
}

async function read(
  { collection, named }: OwnedDocuments,
  fields: readonly string[],
): Promise<(StoredDocument | undefined)[]> {
  return getDocuments(
    named.map(({ id }) => `${collection}/${id}`),
    ['artistId', ...fields],
  );
}

/** Checks first that all documents exist, then that all have this owner. */
function requireOwned(
  documents: readonly (StoredDocument | undefined)[],
  { named, owner }: Pick<OwnedDocuments, 'named' | 'owner'>,
): StoredDocument[] {
  const fieldOf = (index: number) => named[index]?.field ?? 'The request';
  const found = documents.map((document, index) => {
    if (document !== undefined) return document;
    throw new HttpsError('not-found', `${fieldOf(index)} names a document that does not exist.`);
  });
  found.forEach(({ fields }, index) => {
    requireOwner(fields.artistId, owner, fieldOf(index));
  });
  return found;
}

/** Throws `permission-denied` unless the stored `artistId` is the owner's. */
export function requireOwner(artistId: Value | undefined, owner: string, field: string): void {
  if (fromValue(artistId ?? {}) === owner) return;
  throw new HttpsError('permission-denied', `${field} names a document that is not yours.`);
}

/** Whether a document already has the new values. */
function isSet({ fields }: StoredDocument, change: Replacement): boolean {
  return change.mask.every((name) => isDeepStrictEqual(fields[name], change.fields[name]));
}

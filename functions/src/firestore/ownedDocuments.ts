/** Changes of documents that belong to one artist, all or none. */
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

/** Documents of one collection, and the user who must own them all by their stored `artistId`. */
export interface OwnedDocuments {
  readonly collection: string;
  readonly named: readonly NamedDocument[];
  readonly owner: string;
}

/** The documents that a list of ids names, each once, at its first place. */
export function namedOnce(field: string, ids: readonly string[]): NamedDocument[] {
  const first = new Map<string, NamedDocument>();
  ids.forEach((id, index) => {
    if (!first.has(id)) first.set(id, { id, field: `${field}[${index}]` });
  });
  return [...first.values()];
}

/**
 * Replaces fields of documents, all or none; a field that is undefined is removed. Throws `not-found` where one does not
 * exist, `permission-denied` where one is another's; `requireMore` may refuse on other grounds, after those.
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
    // An earlier attempt may have done it: only the answer to its commit was lost.
    return mayBeDone ? writes.filter((write) => !isSet(write.update, write)) : writes;
  });
}

/** Deletes documents, all or none. Throws what `updateOwned` throws. */
export async function deleteOwned(owned: OwnedDocuments): Promise<void> {
  let { named } = owned;
  await optimistically(async (mayBeDone) => {
    let documents = await read({ ...owned, named }, []);
    if (mayBeDone) {
      // What is gone after a commit that may have been done, is done.
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

/** Checks that all documents exist, then that all are the owner's. */
function requireOwned(
  documents: readonly (StoredDocument | undefined)[],
  { named, owner }: Pick<OwnedDocuments, 'named' | 'owner'>,
): StoredDocument[] {
  const fieldOf = (index: number) => named[index]?.field ?? 'The request';
  const found = documents.map((document, index) => {
    if (document !== undefined) return document;
    throw new HttpsError('not-found', `${fieldOf(index)} names nothing that exists.`);
  });
  found.forEach(({ fields }, index) => {
    requireOwner(fields.artistId, owner, fieldOf(index));
  });
  return found;
}

/** Checks that the stored `artistId` is the owner's. Throws `permission-denied`. */
export function requireOwner(artistId: Value | undefined, owner: string, field: string): void {
  if (fromValue(artistId ?? {}) === owner) return;
  throw new HttpsError('permission-denied', `${field} names what is not yours.`);
}

/** Whether a document has the fields that it is to have. */
function isSet({ fields }: StoredDocument, change: Replacement): boolean {
  return change.mask.every((name) => isDeepStrictEqual(fields[name], change.fields[name]));
}

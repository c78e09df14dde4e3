/**
 * Changes of documents that belong to one artist, all or none and without locks: each is committed on condition that it
 * is still the version whose owner was checked.
 */
import { isDeepStrictEqual } from 'node:util';
import { HttpsError } from 'firebase-functions/https';
import { waitAfter } from './client.ts';
import { commit, getDocuments, type StoredDocument, type Write } from './documents.ts';
import { fromValue, toFields, type Fields } from './values.ts';

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
  const changes = new Map(
    owned.named.map((named) => [named.id, changeOfFields(changeOf(named))] as const),
  );
  const changed = [...new Set([...changes.values()].flatMap(({ mask }) => mask))];
  await optimistically(async (mayBeDone) => {
    const documents = requireOwned(await read(owned, mayBeDone ? changed : []), owned);
    requireMore();
    return documents.flatMap((document) => {
      const { path, updateTime } = document;
      const change = changes.get(document.id) ?? { fields: {}, mask: [] };
      // An earlier attempt did it: only the answer to its commit was lost.
      if (mayBeDone && isSet(document, change)) return [];
      const { fields, mask } = change;
      return [{ update: { path, fields }, mask, condition: { updateTime } }];
    });
  });
}

/** Deletes documents, all or none. Throws what `updateOwned` throws. */
export async function deleteOwned(owned: OwnedDocuments): Promise<void> {
  let { named } = owned;
  await optimistically(async (mayBeDone) => {
    const documents = await read({ ...owned, named }, []);
    // What is gone after a commit that may have been done, is done.
    if (mayBeDone) named = named.filter((_named, index) => documents[index] !== undefined);
    const left = mayBeDone ? documents.filter((document) => document !== undefined) : documents;
    return requireOwned(left, { ...owned, named }).map(({ path, updateTime }) => ({
      delete: path,
      condition: { updateTime },
    }));
  });
}

/**
 * Changes one document by what is stored in it. `change` gets the fields of the mask, and gives the fields to replace, or
 * nothing where the change was done by an earlier attempt, which it is told may be so. Throws what `updateOwned` throws.
 */
export async function changeOwned(
  owned: { readonly collection: string; readonly named: NamedDocument; readonly owner: string },
  mask: readonly string[],
  change: (stored: Fields, mayBeDone: boolean) => Readonly<Record<string, unknown>> | undefined,
): Promise<void> {
  const documents = { ...owned, named: [owned.named] };
  await optimistically(async (mayBeDone) => {
    const [found] = await read(documents, mask);
    if (found === undefined && mayBeDone) return [];
    requireOwned([found], documents);
    const data = found && change(found.fields, mayBeDone);
    if (found === undefined || data === undefined) return [];
    const { path, updateTime } = found;
    const { fields, mask: changed } = changeOfFields(data);
    return [{ update: { path, fields }, mask: changed, condition: { updateTime } }];
  });
}

/**
 * Reads, and commits what follows from it, again and again until no other write came between. `plan` reads and gives the
 * writes, none where nothing is left to do; it is told whether an earlier commit may have been done, as its answer was
 * lost.
 */
async function optimistically(
  plan: (mayBeDone: boolean) => Promise<readonly Write[]>,
): Promise<void> {
  let mayBeDone = false;
  for (let attempts = 1; ; attempts += 1) {
    const writes = await plan(mayBeDone);
    if (writes.length === 0) return;
    const outcome = await commit(writes);
    if (outcome === 'done') return;
    if (outcome === 'unknown') mayBeDone = true;
    await waitAfter(attempts);
  }
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
  const found = documents.map((document, index) => {
    if (document !== undefined) return document;
    throw new HttpsError('not-found', `${fieldOf(named, index)} names nothing that exists.`);
  });
  found.forEach(({ fields }, index) => {
    if (fromValue(fields.artistId ?? {}) === owner) return;
    throw new HttpsError('permission-denied', `${fieldOf(named, index)} names what is not yours.`);
  });
  return found;
}

function fieldOf(named: readonly NamedDocument[], index: number): string {
  return named[index]?.field ?? 'The request';
}

interface FieldsChange {
  readonly fields: Fields;
  /** Every field that is changed; those that `fields` lacks are removed. */
  readonly mask: readonly string[];
}

function changeOfFields(data: Readonly<Record<string, unknown>>): FieldsChange {
  const kept = Object.entries(data).filter(([, value]) => value !== undefined);
  return { fields: toFields(Object.fromEntries(kept)), mask: Object.keys(data) };
}

/** Whether a document has the fields that it is to have. */
function isSet({ fields }: StoredDocument, change: FieldsChange): boolean {
  return change.mask.every((name) => isDeepStrictEqual(fields[name], change.fields[name]));
}

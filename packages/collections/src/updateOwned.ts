/** Changes documents of one owner, all or none. */
import type * as z from 'zod';
import type { FieldChanges, StoredDocument } from '@tattoo-marketplace/firestore-rest';
import { createFieldsDecoder } from './decodeDocument.ts';
import { listFields, type DocumentSchema, type FieldName } from './documentSchema.ts';
import { completeChange, encodeChanges, type FieldValues } from './encodeChanges.ts';
import { commitWithRetries } from './optimisticCommit.ts';
import { readOwnedDocuments, type OwnedDocuments } from './ownedDocuments.ts';
import { keepStoredList } from './storedLists.ts';

/** Maximum size of Firestore's response with fields on which a change depends, in bytes: an attempt holds several copies of them. */
const MAX_FIELDS_BYTES = 2 * 1024 * 1024;

/** The ID and the requested fields of a document. */
type RequestedFields<Schema extends DocumentSchema, Field extends FieldName<Schema>> = Pick<
  z.output<Schema>,
  Extract<'id' | Field, keyof z.output<Schema>>
>;

/**
 * Updates fields of documents; an undefined field is removed. `buildChange` gets the ID of a
 * document and its requested `fields`, decoded, and runs after all documents and their owners were
 * checked. It may throw, and returns undefined to leave the document unchanged. A list field that it
 * changes with `removeItem` keeps the stored values of all other items.
 *
 * Stored times keep their format. If the schema has `updatedAt`, it is set to the server's time
 * after the documents were read. The stored time is ignored, so that a wrong one does not spread.
 * Throws `not-found` if a document does not exist, and `permission-denied` if it belongs to another
 * user. Requested fields of more than 2 MiB in all are an internal error.
 */
export async function updateOwned<
  Schema extends DocumentSchema,
  Field extends FieldName<Schema> = never,
>(
  owned: OwnedDocuments<Schema>,
  buildChange: (document: RequestedFields<Schema, Field>) => FieldValues<Schema> | undefined,
  { fields = [] }: { readonly fields?: readonly Field[] } = {},
): Promise<void> {
  const { collection } = owned;
  const decode = createRequestedFieldsDecoder(collection.schema, fields);
  const encode = (documents: readonly StoredDocument[]) =>
    documents.map((stored) => {
      const change = buildChange(decode(stored));
      return change && encodeChanges(change);
    });
  const isDependent = fields.length > 0;
  // A change that does not depend on stored fields is encoded once, because the commit may be
  // retried many times under contention.
  let encodedOnce: readonly (FieldChanges | undefined)[] | undefined;
  await commitWithRetries(async () => {
    // The stored times determine the format of the new ones.
    const documents = await readOwnedDocuments(
      owned,
      [...fields, ...collection.timeFields],
      isDependent ? MAX_FIELDS_BYTES : undefined,
    );
    const changes = isDependent ? encode(documents) : (encodedOnce ??= encode(documents));
    const now = Date.now();
    return documents.flatMap(({ path, updateTime, fields: stored }, index) => {
      const change = changes[index];
      if (change === undefined) return [];
      // The stored fields would otherwise stay in memory while the commit is retried.
      const update = { path, updateTime };
      return [{ update, changes: completeChange(collection, change, stored, now) }];
    });
  });
}

/** Creates a decoder for some fields of a document. Lists are kept with their stored values. */
function createRequestedFieldsDecoder<
  Schema extends DocumentSchema,
  Field extends FieldName<Schema>,
>(schema: Schema, names: readonly Field[]) {
  const requested: ReadonlySet<string> = new Set(names);
  const decodeFields = createFieldsDecoder(
    listFields(schema).filter(([name]) => requested.has(name)),
    '',
  );
  const observer = {
    onList(path: string, ...list: Parameters<typeof keepStoredList>) {
      if (requested.has(path)) keepStoredList(...list);
    },
  };
  return ({ id, fields }: Pick<StoredDocument, 'id' | 'fields'>) => {
    const document: unknown = { id, ...decodeFields(fields, observer) };
    return document as RequestedFields<Schema, Field>;
  };
}

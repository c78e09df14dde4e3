/** Deletes documents of one owner, all or none. */
import type { DocumentSchema, FieldName } from './documentSchema.ts';
import { commitWithRetries } from './optimisticCommit.ts';
import { readOwnedDocuments, type OwnedDocuments } from './ownedDocuments.ts';
import {
  createRequestedFieldsDecoder,
  MAX_FIELDS_BYTES,
  type DependentWrites,
} from './requestedFields.ts';

/**
 * Deletes documents. Throws `not-found` if a document does not exist, and `permission-denied` if it
 * belongs to another user. `buildFurtherWrites` gets the ID and the requested `fields` of each
 * document, and returns writes to commit with its deletion, all or none, and once.
 */
export async function deleteOwned<
  Schema extends DocumentSchema,
  Field extends FieldName<Schema> = never,
>(
  owned: OwnedDocuments<Schema>,
  { fields = [], buildFurtherWrites = () => [] }: DependentWrites<Schema, Field> = {},
): Promise<void> {
  const decode = createRequestedFieldsDecoder(owned.collection.schema, fields);
  await commitWithRetries(async () => {
    const documents = await readOwnedDocuments(
      owned,
      fields,
      fields.length > 0 ? MAX_FIELDS_BYTES : undefined,
    );
    return {
      writes: documents.map(({ path, updateTime }) => ({ delete: { path, updateTime } })),
      furtherWrites: documents.flatMap((stored) => buildFurtherWrites(decode(stored))),
    };
  });
}

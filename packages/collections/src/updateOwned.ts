/** Changes documents of one owner, all or none. */
import { isDeepStrictEqual } from 'node:util';
import {
  getArrayElements,
  valueToMillis,
  type FieldChanges,
  type Fields,
  type StoredDocument,
  type Value,
} from '@tattoo-marketplace/firestore-rest';
import type { DocumentSchema, FieldName } from './documentSchema.ts';
import { completeChange, encodeChanges, type FieldValues } from './encodeChanges.ts';
import { commitWithRetries } from './optimisticCommit.ts';
import { readOwnedDocuments, type OwnedDocuments } from './ownedDocuments.ts';
import {
  createRequestedFieldsDecoder,
  MAX_FIELDS_BYTES,
  type DependentWrites,
  type RequestedFields,
} from './requestedFields.ts';

/**
 * Updates fields of documents; an undefined field is removed. `buildChange` gets the ID of a
 * document and its requested `fields`, decoded, and runs after all documents and their owners were
 * checked. It may throw, and returns undefined to leave the document unchanged. Its lists are immutable.
 * A list field that it changes with `removeItem` keeps the stored values of all other items.
 *
 * Stored times keep their format. If the schema has `updatedAt`, it is set to the server's time
 * after the documents were read. The stored time is ignored, so that a wrong one does not spread.
 * Throws `not-found` if a document does not exist, and `permission-denied` if it belongs to another
 * user. Requested fields of more than 2 MiB in all are an internal error.
 *
 * `buildFurtherWrites` returns writes to commit with the change of a document, all or none. They are
 * committed once, and only if the change gives one of `fields` another value: a commit that changes
 * nothing leaves the version of the document, so that each copy of it would take effect.
 */
export async function updateOwned<
  Schema extends DocumentSchema,
  Field extends FieldName<Schema> = never,
>(
  owned: OwnedDocuments<Schema>,
  buildChange: (document: RequestedFields<Schema, Field>) => FieldValues<Schema> | undefined,
  { fields = [], buildFurtherWrites }: DependentWrites<Schema, Field> = {},
): Promise<void> {
  const { collection } = owned;
  const decode = createRequestedFieldsDecoder(collection.schema, fields);
  const encode = (documents: readonly StoredDocument[]) =>
    documents.map((stored) => {
      const change = buildChange(decode(stored));
      return change && encodeChanges(change);
    });
  const isDependent = fields.length > 0;
  if (buildFurtherWrites !== undefined && !isDependent) {
    throw new Error(
      '`buildFurtherWrites` needs `fields`: those that a change gives another value.',
    );
  }
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
    const updates = documents.flatMap((stored, index) => {
      const change = changes[index];
      if (change === undefined) return [];
      const { path, updateTime } = stored;
      const completed = completeChange(collection, change, stored.fields, now);
      const changed = fields.filter((field) => field in change);
      const furtherWrites =
        buildFurtherWrites !== undefined && hasOtherValue(changed, completed, stored.fields)
          ? buildFurtherWrites(decode(stored))
          : [];
      // The stored fields would otherwise stay in memory while the commit is retried.
      return [{ write: { update: { path, updateTime }, changes: completed }, furtherWrites }];
    });
    return {
      writes: updates.map(({ write }) => write),
      furtherWrites: updates.flatMap(({ furtherWrites }) => furtherWrites),
    };
  });
}

/** Returns whether a change certainly gives one of these fields another value. */
function hasOtherValue(names: readonly string[], changes: FieldChanges, stored: Fields): boolean {
  return names.some(
    (name) => !isDeepStrictEqual(toComparable(changes[name]), toComparable(stored[name])),
  );
}

/** Converts a value so that all forms of it are equal: 1 and 1.0, times with and without microseconds. */
function toComparable(value: Value | undefined): unknown {
  if (value?.arrayValue !== undefined) return getArrayElements(value).map(toComparable);
  if (value?.mapValue !== undefined) {
    const fields = Object.entries(value.mapValue.fields ?? {});
    return Object.fromEntries(fields.map(([name, field]) => [name, toComparable(field)]));
  }
  return value && (valueToMillis(value) ?? value);
}

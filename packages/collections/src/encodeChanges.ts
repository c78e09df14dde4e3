/** Encodes the fields of a document that a request creates or changes. */
import type * as z from 'zod';
import { encodeValue, type FieldChanges, type Fields } from '@tattoo-marketplace/firestore-rest';
import type { Collection } from './defineCollection.ts';
import type { DocumentSchema, FieldName } from './documentSchema.ts';
import { getStoredList } from './storedLists.ts';
import { preserveTimeFormats } from './timeFormats.ts';

/** Values for fields of a document, of the types in its schema. An undefined field is removed. */
export type FieldValues<Schema extends DocumentSchema> = {
  readonly [Name in FieldName<Schema>]?: z.input<Schema['shape'][Name]> | undefined;
};

/** Encodes changes for Firestore. An undefined field is removed. */
export function encodeChanges(changes: Readonly<Record<string, unknown>>): FieldChanges {
  return Object.fromEntries(
    Object.entries(changes).map(([field, value]) => [
      field,
      value === undefined ? undefined : (getStoredList(value) ?? encodeValue(value)),
    ]),
  );
}

/** Encodes a new document. The fields in `serverTimestamps` are set to the server's time. */
export function encodeNewDocument(
  { timeFields }: Collection,
  values: Readonly<Record<string, unknown>>,
  serverTimestamps: readonly string[],
): FieldChanges {
  const now = Date.now();
  const times = Object.fromEntries(serverTimestamps.map((field) => [field, now]));
  return preserveTimeFormats(encodeChanges({ ...values, ...times }), {}, timeFields);
}

/**
 * Completes a change as it is committed: with `updatedAt` if the schema has it, and with times in
 * their stored formats.
 */
export function completeChange(
  { schema, timeFields }: Collection,
  change: FieldChanges,
  stored: Fields,
  now: number,
): FieldChanges {
  const updatedAt = 'updatedAt' in schema.shape && { updatedAt: encodeValue(now) };
  return preserveTimeFormats({ ...change, ...updatedAt }, stored, timeFields);
}

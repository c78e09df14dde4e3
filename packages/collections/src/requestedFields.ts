/** The fields of a document on which a change, or a further write, depends. */
import type * as z from 'zod';
import type { StoredDocument } from '@tattoo-marketplace/firestore-rest';
import { createFieldsDecoder } from './documentDecoder.ts';
import { listFields, type DocumentSchema, type FieldName } from './documentSchema.ts';
import type { FurtherWrite } from './furtherWrites.ts';
import { keepStoredList } from './storedLists.ts';

/** Maximum size of Firestore's response with fields on which a change depends, in bytes: an attempt holds several copies of them. */
export const MAX_FIELDS_BYTES = 2 * 1024 * 1024;

/** The ID and the requested fields of a document. */
export type RequestedFields<Schema extends DocumentSchema, Field extends FieldName<Schema>> = Pick<
  z.output<Schema>,
  Extract<'id' | Field, keyof z.output<Schema>>
>;

/** The fields to read, and the further writes that depend on them. */
export interface DependentWrites<Schema extends DocumentSchema, Field extends FieldName<Schema>> {
  readonly fields?: readonly Field[];
  readonly buildFurtherWrites?: (
    document: RequestedFields<Schema, Field>,
  ) => readonly FurtherWrite[];
}

/** Creates a decoder for some fields of a document. Lists are kept with their stored values. */
export function createRequestedFieldsDecoder<
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

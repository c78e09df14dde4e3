/** The schemas of stored documents. */
import * as z from 'zod';
import { unwrapSchema } from '@tattoo-marketplace/endpoints';
import { timeSchemas } from './storedTime.ts';

/** The schema of stored documents. `id` is the id of the document; all other fields must be optional or have a default. */
export type DocumentSchema = z.ZodObject<{ id: z.ZodString }>;

/** The name of a field: `order`. */
export type FieldName<Schema extends DocumentSchema> = Exclude<
  keyof Schema['shape'] & string,
  'id'
>;

/** Types whose values are a string, a number or a boolean. */
const PRIMITIVE_TYPES: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'enum']);

/** The fields of a document schema, without `id`. */
export function fieldsOf(
  schema: DocumentSchema,
): readonly [name: string, schema: z.core.$ZodType][] {
  return Object.entries<z.core.$ZodType>(schema.shape).filter(([name]) => name !== 'id');
}

/**
 * Throws if documents cannot be decoded by a schema. A field may be required only if the documents
 * are filtered by it: stored documents may lack every other field.
 */
export function assertSupported(schema: DocumentSchema, filters: readonly string[] = []): void {
  assertNoChecks(schema, 'a document');
  assertFieldsSupported(fieldsOf(schema), '', filters);
}

function assertFieldsSupported(
  fields: readonly (readonly [name: string, schema: z.core.$ZodType])[],
  parent: string,
  filters: readonly string[],
): void {
  for (const [name, schema] of fields) {
    const path = parent + name;
    assertValueSupported(schema, path, filters);
    const isFilter = filters.some((filter) => `${filter}.`.startsWith(`${path}.`));
    if (!isFilter && !acceptsUndefined(schema)) throw unsupportedSchemaError(path, 'required');
  }
}

function assertValueSupported(
  schema: z.core.$ZodType,
  path: string,
  filters: readonly string[],
): void {
  const type = unwrapSchema(schema);
  assertNoChecks(schema, path);
  assertNoChecks(type, path);
  if (type instanceof z.ZodObject) {
    assertFieldsSupported(Object.entries(type.shape), `${path}.`, filters);
  } else if (type instanceof z.ZodArray) {
    assertValueSupported(type.element, `${path}[]`, []);
  } else if (timeSchemas.get(type) === undefined) {
    const { def } = type._zod;
    if (!PRIMITIVE_TYPES.has(def.type)) throw unsupportedSchemaError(path, def.type);
    // `z.coerce` would turn a map into a string, and the string "false" into true.
    if ('coerce' in def) throw unsupportedSchemaError(path, 'coerce');
  }
}

/** Throws for checks that no decoder runs: refinements of objects, lists and optional values. */
function assertNoChecks({ _zod: { def } }: z.core.$ZodType, path: string): void {
  if (!PRIMITIVE_TYPES.has(def.type) && def.checks?.length)
    throw unsupportedSchemaError(path, 'checks');
}

function acceptsUndefined(schema: z.core.$ZodType): boolean {
  return (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  );
}

function unsupportedSchemaError(path: string, problem: string): Error {
  return new Error(`The schema of ${path} is not supported for stored documents: ${problem}.`);
}

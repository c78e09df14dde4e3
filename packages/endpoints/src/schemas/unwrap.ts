import * as z from 'zod';

/** A schema with `.optional()`, `.required()`, `.default()` or `.prefault()`. */
type Wrapper = z.ZodOptional | z.ZodNonOptional | z.ZodDefault | z.ZodPrefault;

function isWrapper(schema: z.core.$ZodType): schema is Wrapper {
  return (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNonOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  );
}

/** Returns the schema inside all wrappers. */
export function unwrapSchema(schema: z.core.$ZodType): z.core.$ZodType {
  return isWrapper(schema) ? unwrapSchema(schema.unwrap()) : schema;
}

/** Lists a schema and the schemas inside its wrappers, from the outermost to the innermost. */
export function listSchemaLayers(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  return isWrapper(schema) ? [schema, ...listSchemaLayers(schema.unwrap())] : [schema];
}

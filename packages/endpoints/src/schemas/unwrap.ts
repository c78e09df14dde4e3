import * as z from 'zod';

/** Unwraps a schema from `.optional()`, `.required()`, `.default()` and `.prefault()`. */
export function unwrapSchema(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNonOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
    ? unwrapSchema(schema.unwrap())
    : schema;
}

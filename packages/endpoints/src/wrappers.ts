import * as z from 'zod';

/** The schema of a value, whether it is optional, required or has a default. */
export function withoutWrappers(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNonOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
    ? withoutWrappers(schema.unwrap())
    : schema;
}

/** Schemas that only make another one optional, or give it a default. */
import * as z from 'zod';

/** Whether a schema only makes another one optional, or gives it a default. */
export function isWrapper(
  schema: z.core.$ZodType,
): schema is z.ZodOptional | z.ZodDefault | z.ZodPrefault {
  return (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  );
}

/** The schema of a value, whether it is optional, required or has a default. */
export function withoutWrappers(schema: z.core.$ZodType): z.core.$ZodType {
  return isWrapper(schema) || schema instanceof z.ZodNonOptional
    ? withoutWrappers(schema.unwrap())
    : schema;
}

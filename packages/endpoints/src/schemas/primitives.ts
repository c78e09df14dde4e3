import * as z from 'zod';

/** The JSON schema of integers that need more than 32 bits. */
export const INT64_JSON_SCHEMA = { type: 'integer', format: 'int64' } as const;

/** A count or a size: an integer that JavaScript can represent exactly. */
export const safeInteger = z.int().meta({ override: INT64_JSON_SCHEMA });

/** Creates the schema of a string of 1 to `max` characters (Unicode code points). */
export function boundedString(max: number) {
  return (
    z
      .string()
      .refine((text) => text.isWellFormed(), 'must be valid Unicode')
      // A character has one or two UTF-16 code units. `length` is checked first because it is cheap.
      .refine(
        (text) => text !== '' && text.length <= 2 * max && Array.from(text).length <= max,
        `must have 1 to ${max} characters`,
      )
      .meta({ override: { minLength: 1, maxLength: max } })
  );
}

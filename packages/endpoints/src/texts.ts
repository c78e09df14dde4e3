import * as z from 'zod';

/** A string of 1 to `max` characters (Unicode code points). */
export function boundedString(max: number) {
  return (
    z
      .string()
      .refine((text) => text.isWellFormed(), 'must be valid Unicode')
      // A character has one or two UTF-16 units. `length` is checked first because it is cheap.
      .refine(
        (text) => text !== '' && text.length <= 2 * max && Array.from(text).length <= max,
        `must have 1 to ${max} characters`,
      )
      .meta({ override: { minLength: 1, maxLength: max } })
  );
}

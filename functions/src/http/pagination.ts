/** How a list is read in pages, as requests and responses say it. */
import * as z from 'zod';
import { documentId } from '../fields.ts';

/** The query parameters of a list that is read in pages. */
export function pageParameters(sizes: { max: number; fallback: number }) {
  const expected = `must be an integer from 1 to ${sizes.max}`;
  return z.object({
    limit: z
      .string(expected)
      // Decimal digits only: a coercion would take "" for 0, and 0 is Firestore's "no limit".
      .refine((text) => /^\d{1,9}$/.test(text), expected)
      .transform(Number)
      .refine((limit) => limit >= 1 && limit <= sizes.max, expected)
      .default(sizes.fallback)
      .describe(`How many elements to return: 1 to ${sizes.max}, ${sizes.fallback} when left out.`)
      .meta({
        override: {
          type: 'integer',
          minimum: 1,
          maximum: sizes.max,
          default: sizes.fallback,
        },
      }),
    cursor: documentId
      .optional()
      .describe('The `nextCursor` of the page before: the id of its last element.'),
  });
}

/** The fields of a response that say how to go on. */
export const pageFields = {
  hasMore: z.boolean().describe('Whether there are elements after these.'),
  nextCursor: z
    .string()
    .optional()
    .describe('The `cursor` of the next request; there exactly when `hasMore` is true.'),
};

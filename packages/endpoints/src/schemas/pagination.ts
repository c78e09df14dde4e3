/** The request and response fields of a list that is read in pages. */
import * as z from 'zod';
import { documentId } from './documentIds.ts';

/** The query parameters of a list that is read in pages. */
export function pageParameters(limits: { maxLimit: number; defaultLimit: number }) {
  const expected = `must be an integer from 1 to ${limits.maxLimit}`;
  return z.object({
    limit: z
      .string(expected)
      // Digits only: coercion would read "" as 0.
      .refine((text) => /^\d{1,9}$/.test(text), expected)
      .transform(Number)
      .pipe(z.number().min(1, expected).max(limits.maxLimit, expected))
      .default(limits.defaultLimit)
      .describe(
        `How many elements to return at most: 1 to ${limits.maxLimit}, ${limits.defaultLimit} by default.`,
      )
      .meta({
        override: {
          type: 'integer',
          minimum: 1,
          maximum: limits.maxLimit,
          default: limits.defaultLimit,
        },
      }),
    cursor: documentId
      .optional()
      .describe('The `nextCursor` of the previous page: the id of its last element.'),
  });
}

/** The response fields that lead to the next page. */
export const pageFields = {
  hasMore: z
    .boolean()
    .describe(
      'Whether there are more elements after these. A page may end before `limit` although there are.',
    ),
  nextCursor: z
    .string()
    .optional()
    .describe('The `cursor` for the next page; present exactly when `hasMore` is true.'),
};

/** The schemas of lists that are read in pages. */
import * as z from 'zod';
import { documentId } from './documentIds.ts';

/** The schemas of page sizes, and those derived from them. */
const pageSizeSchemas = z.registry<{ readonly isPageSize: true }>();

/** Returns whether the values of a query parameter are page sizes: numbers of documents that a request asks for. */
export function isPageSizeSchema(schema: z.core.$ZodType): boolean {
  return pageSizeSchemas.get(schema) !== undefined;
}

/** Creates the schema of the query parameters of a list that is read in pages. */
export function pageParameters(limits: { maxLimit: number; defaultLimit: number }) {
  const message = `must be an integer from 1 to ${limits.maxLimit}`;
  return z.object({
    limit: z
      .string(message)
      // Digits only: coercion would read "" as 0.
      .refine((limit) => /^\d{1,9}$/.test(limit), message)
      .transform(Number)
      .pipe(z.number().min(1, message).max(limits.maxLimit, message))
      .default(limits.defaultLimit)
      .describe(
        `The maximum number of items to return: 1 to ${limits.maxLimit}, ${limits.defaultLimit} by default.`,
      )
      .meta({
        override: {
          type: 'integer',
          minimum: 1,
          maximum: limits.maxLimit,
          default: limits.defaultLimit,
        },
      })
      .register(pageSizeSchemas, { isPageSize: true }),
    cursor: documentId
      .optional()
      .describe('The `nextCursor` of the previous page: the id of its last item.'),
  });
}

/** The response fields that lead to the next page. */
export const pageFields = {
  hasMore: z
    .boolean()
    .describe(
      'True if more items follow. A page may have fewer items than `limit` although more follow.',
    ),
  nextCursor: z
    .string()
    .optional()
    .describe('The `cursor` for the next page; present exactly when `hasMore` is true.'),
};

/** The schemas of lists that are read in pages. */
import * as z from 'zod';
import { documentId } from './documentIds.ts';
import { safeInteger } from './primitives.ts';

/** The schemas of page sizes, and those derived from them. */
const pageSizeSchemas = z.registry<{ readonly isPageSize: true }>();

/** Maximum size of a page. It bounds what a request costs: each item is a document read. */
const MAX_PAGE_SIZE = 500;

/** Returns whether the values of a query parameter are page sizes: numbers of documents that a request asks for. */
export function isPageSizeSchema(schema: z.core.$ZodType): boolean {
  return pageSizeSchemas.get(schema) !== undefined;
}

/**
 * Creates the schema of the query parameters of a list that is read in pages. Throws unless the limits are sizes of a
 * page: 1 to 500.
 */
export function pageParameters(limits: { maxLimit: number; defaultLimit: number }) {
  assertLimits(limits);
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

function assertLimits({ maxLimit, defaultLimit }: { maxLimit: number; defaultLimit: number }) {
  assertInteger('maxLimit', maxLimit, MAX_PAGE_SIZE);
  assertInteger('defaultLimit', defaultLimit, maxLimit);
}

function assertInteger(name: string, value: number, maximum: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= maximum) return;
  throw new Error(
    `pageParameters: ${name} is ${value}. It must be an integer from 1 to ${maximum}.`,
  );
}

/** The response fields that lead to the next page. */
const pageFields = {
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

/**
 * Creates the schema of the response with a page of a list: `field` has the items. `noun` names the items in the
 * documentation: by default the field.
 */
export function pageResponse<Field extends string, Item extends z.ZodType>(
  field: Field,
  item: Item,
  noun: string = field,
) {
  return z.object({ ...createItemsShape(field, item, noun), ...pageFields });
}

/** Creates the schema like `pageResponse`, of a page with the number of items on all pages. */
export function pageResponseWithTotal<Field extends string, Item extends z.ZodType>(
  field: Field,
  item: Item,
  noun: string = field,
) {
  const total = safeInteger.describe(`The number of ${noun} on all pages.`);
  return z.object({ ...createItemsShape(field, item, noun), total, ...pageFields });
}

function createItemsShape<Field extends string, Item extends z.ZodType>(
  field: Field,
  item: Item,
  noun: string,
) {
  const items = z.array(item).describe(`The ${noun} on this page.`);
  // TypeScript widens a computed name to string.
  return { [field]: items } as Record<Field, typeof items>;
}

/** Schemas of document IDs and of lists that refer to documents. */
import * as z from 'zod';
import { unwrapSchema } from './unwrap.ts';

/** Maximum size of a document ID, in bytes of UTF-8. */
export const MAX_ID_BYTES = 1500;

/**
 * Returns whether Firestore accepts this string as a document ID: valid Unicode of 1 to 1500 bytes, without `/`, not `.`,
 * `..` or `__…__` (https://firebase.google.com/docs/firestore/quotas#collections_documents_and_fields). An ID with a slash
 * would refer to a document in another collection.
 */
export function isDocumentId(id: string): boolean {
  return (
    id !== '' &&
    id !== '.' &&
    id !== '..' &&
    !id.includes('/') &&
    !/^__.*__$/s.test(id) &&
    id.isWellFormed() &&
    Buffer.byteLength(id) <= MAX_ID_BYTES
  );
}

/** The schemas of document IDs. A registry also contains the schemas derived from them, such as `documentId.describe(…)`. */
const documentIdSchemas = z.registry<{ readonly isDocumentId: true }>();

/** Returns whether the values of a schema are document IDs. */
export function isDocumentIdSchema(schema: z.core.$ZodType): boolean {
  return documentIdSchemas.get(unwrapSchema(schema)) !== undefined;
}

/** A document id in a request. */
export const documentId = z
  .string()
  .refine(
    isDocumentId,
    `must be an id: 1 to ${MAX_ID_BYTES} bytes, no "/", not ".", ".." or "__…__"`,
  )
  .meta({
    override: ({ jsonSchema }: { readonly jsonSchema: { readonly description?: string } }) => {
      Object.assign(jsonSchema, {
        minLength: 1,
        maxLength: MAX_ID_BYTES,
        // Some code generators reject lookaheads, so the description has the other rules.
        pattern: '^[^/]+$',
        description: `${jsonSchema.description ?? 'An id.'} Not \`.\`, \`..\` or \`__…__\`.`,
      });
    },
  })
  .register(documentIdSchemas, { isDocumentId: true });

/**
 * Maximum total size of the IDs in one list. Each ID is held several times while a request is
 * processed.
 */
export const MAX_ID_LIST_BYTES = 40_000;

/** An item of a list that refers to documents: an ID, or an object with the field `id`. */
type DocumentListItem = string | { readonly id: string };

/**
 * Creates a schema for a list of 1 to `max` documents; error messages call them `noun`.
 * The length is checked in `preprocess`, so that a huge invalid list is rejected before its items
 * are validated: `.min()` and `.max()` would run afterwards, and `.pipe()` would lose the JSON
 * schema of the items.
 */
export function boundedDocumentList<Item extends z.ZodType<DocumentListItem>>(
  item: Item,
  { max, noun }: { readonly max: number; readonly noun: string },
) {
  const message = `must have 1 to ${max} ${noun}`;
  return z.preprocess(
    (value, context) => {
      if (!Array.isArray(value) || (value.length >= 1 && value.length <= max)) return value;
      context.issues.push({ code: 'custom', message, input: value });
      return z.NEVER;
    },
    z
      .array(item)
      .min(1, message)
      .max(max, message)
      .refine(
        (items) => countIdBytes(items) <= MAX_ID_LIST_BYTES,
        `must have ids of at most ${MAX_ID_LIST_BYTES} bytes in all`,
      ),
  );
}

function countIdBytes(items: readonly DocumentListItem[]): number {
  const ids = items.map((item) => (typeof item === 'string' ? item : item.id));
  return ids.reduce((bytes, id) => bytes + Buffer.byteLength(id), 0);
}

/** Creates a schema for a list of 1 to `max` document IDs. */
export function documentIdList(max: number) {
  return boundedDocumentList(documentId, { max, noun: 'ids' });
}

/** Schemas shared by requests, responses and stored documents: ids, lists of ids, times. */
import * as z from 'zod';

export const MAX_ID_BYTES = 1500;

/**
 * Whether Firestore accepts this string as a document id: valid UTF-8 of 1 to 1500 bytes, no `/`, not `.` or `..`, not
 * `__…__` (https://firebase.google.com/docs/firestore/quotas#collections_documents_and_fields). An id with a slash
 * would refer to a document in another collection.
 */
export function isDocumentId(text: string): boolean {
  return (
    text !== '' &&
    text !== '.' &&
    text !== '..' &&
    !text.includes('/') &&
    !/^__.*__$/s.test(text) &&
    text.isWellFormed() &&
    Buffer.byteLength(text) <= MAX_ID_BYTES
  );
}

/** A document id in a request. */
export const documentId = z
  .string()
  .refine(
    isDocumentId,
    `must be an id: 1 to ${MAX_ID_BYTES} bytes, no "/", not ".", ".." or "__…__"`,
  )
  .meta({
    override: {
      minLength: 1,
      maxLength: MAX_ID_BYTES,
      pattern: '^(?!\\.{1,2}$)(?!__[\\s\\S]*__$)[^/]+$',
    },
  });

/** The most documents that one request may name. */
export const MAX_NAMED = 500;

/**
 * A list of 1 to 500 elements that name documents. The length is checked first, so that a list of a million invalid
 * elements is rejected without validating each of them.
 */
export function boundedList<Element extends z.ZodType>(element: Element, noun: string) {
  const expected = `must have 1 to ${MAX_NAMED} ${noun}`;
  return z.preprocess(
    (value, context) => {
      if (!Array.isArray(value) || (value.length >= 1 && value.length <= MAX_NAMED)) return value;
      context.issues.push({ code: 'custom', message: expected, input: value });
      return z.NEVER;
    },
    z.array(element).min(1, expected).max(MAX_NAMED, expected),
  );
}

/** The ids of 1 to 500 documents. A repeated id counts once. */
export const idList = boundedList(documentId, 'ids');

/** A text of 1 to so many characters in a request. */
export function requestText(max: number) {
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

/** How the OpenAPI document describes integers that need more than 32 bits. */
const INT64 = { type: 'integer', format: 'int64' } as const;

/**
 * The largest time that JavaScript's `Date` supports, in ms from the epoch
 * (https://tc39.es/ecma262/#sec-time-values-and-time-range).
 */
export const MAX_TIME = 8.64e15;

export const EXPECTED_TIME = 'must be a time: a number of milliseconds since the Unix epoch, UTC';

/** The schemas of times. A registry also knows what is derived from them, such as `storedTime.describe(…)`. */
export const times = z.registry<{ readonly isTime: true }>();

/** A time in a request: milliseconds since the Unix epoch, UTC. */
export const requestTime = z
  .number()
  .min(-MAX_TIME, EXPECTED_TIME)
  .max(MAX_TIME, EXPECTED_TIME)
  .meta({ override: INT64 })
  .register(times, { isTime: true });

/** A time in a request that need not be sent. */
export const optionalTime = requestTime.nullish().register(times, { isTime: true });

/**
 * A time in a stored document: milliseconds since the Unix epoch, UTC. A Firestore `Timestamp`, as some other writers
 * store, is converted, and replaced by another one.
 */
export const storedTime = z
  .number()
  .meta({ description: 'Milliseconds since the Unix epoch, UTC.', override: INT64 })
  .register(times, { isTime: true });

/** The stored names of the fields that have others than their own. */
export const declaredNames = z.registry<{ readonly names: readonly [string, ...string[]] }>();

/**
 * A field of a document that is stored as `name`; responses and requests do not change:
 * `order: storedAs(z.number().optional(), 'position', 'order')`. Older names are still read where the current one has no value,
 * and removed by writes. Queries find the current name only: a list that the field orders or filters lacks older documents until
 * `npm run migrate -- --rename position=order`.
 */
export function storedAs<Schema extends z.ZodType>(
  schema: Schema,
  name: string,
  ...older: readonly string[]
): Schema {
  // A copy, for others may use the schema for fields that keep their name.
  const copy = schema.clone();
  declaredNames.add<z.ZodType>(copy, { names: [name, ...older] });
  return copy;
}

/** The response of an operation that has nothing else to say. */
export const Success = z
  .object({ success: z.boolean().describe('Always true.') })
  .meta({ id: 'Success', description: 'The operation was carried out.' });

/** A count or a size: an integer that JavaScript can represent exactly. */
export const wholeNumber = z.int().meta({ override: INT64 });

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

/** The schema of a value, whether it is optional or has a default. */
export function withoutWrappers(schema: z.core.$ZodType): z.core.$ZodType {
  return isWrapper(schema) ? withoutWrappers(schema.unwrap()) : schema;
}

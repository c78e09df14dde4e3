/**
 * Maximum nesting depth of maps and arrays in Firestore
 * (https://firebase.google.com/docs/firestore/quotas).
 */
export const MAX_WEEK_DEPTH = 20;
/** The longest field name, in bytes. */
const MAX_NAME_BYTES = 1500;
/** The most values; each object, each array and each value in them counts. */
export const MAX_WEEK_VALUES = 3_000;
/** The longest JSON, in bytes of UTF-8 without white space. */
export const MAX_WEEK_BYTES = 100_000;

/**
 * Returns the first reason why Firestore cannot store a JSON value, as a predicate for an error
 * message, or undefined. Checks the number of values, the size, nested arrays, the depth, field
 * names and Unicode. Stops at the first problem, so that an oversized value costs no more than the
 * largest allowed one.
 */
export function findStorageProblem(value: object): string | undefined {
  let values = 0;

  function problemWith(part: unknown, depth: number): string | undefined {
    values += 1;
    if (values > MAX_WEEK_VALUES) return `must not have more than ${MAX_WEEK_VALUES} values`;
    if (typeof part === 'string') {
      // A string that is too long is rejected later, for its length; do not scan it here.
      return part.length > MAX_WEEK_BYTES || part.isWellFormed()
        ? undefined
        : 'must be valid Unicode';
    }
    // JSON.parse reads 1e999 as Infinity.
    if (typeof part === 'number') return Number.isFinite(part) ? undefined : 'must be finite';
    if (typeof part !== 'object' || part === null) return undefined;
    // The field itself is the first level.
    if (depth >= MAX_WEEK_DEPTH) return `must not be nested deeper than ${MAX_WEEK_DEPTH} levels`;
    if (Array.isArray(part)) {
      for (const element of part as unknown[]) {
        const reason = Array.isArray(element)
          ? 'must not have an array directly inside an array'
          : problemWith(element, depth + 1);
        if (reason !== undefined) return reason;
      }
      return undefined;
    }
    for (const name in part) {
      const reason = isFieldName(name)
        ? problemWith((part as Readonly<Record<string, unknown>>)[name], depth + 1)
        : 'must not have a field whose name is empty, reserved or too long';
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  const reason = problemWith(value, 0);
  if (reason !== undefined) return reason;
  return Buffer.byteLength(JSON.stringify(value)) > MAX_WEEK_BYTES
    ? `must not be longer than ${MAX_WEEK_BYTES} bytes`
    : undefined;
}

function isFieldName(name: string): boolean {
  return (
    name !== '' &&
    name.length <= MAX_NAME_BYTES &&
    Buffer.byteLength(name) <= MAX_NAME_BYTES &&
    !/^__.*__$/s.test(name) &&
    name.isWellFormed()
  );
}

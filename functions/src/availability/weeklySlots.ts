/** The week of a schedule: any JSON that Firestore can store, within limits. */
import * as z from 'zod';

/**
 * Maximum nesting depth of maps and arrays in Firestore
 * (https://firebase.google.com/docs/firestore/quotas).
 */
export const MAX_WEEK_DEPTH = 20;
/** Maximum number of values; each object, each array and each value in them counts. */
export const MAX_WEEK_VALUES = 3_000;
/** Maximum size of the JSON, in bytes of UTF-8 without white space. */
export const MAX_WEEK_BYTES = 100_000;
/** Maximum size of a field name in Firestore, in bytes. */
const MAX_NAME_BYTES = 1500;

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/**
 * The request schema of the week. It validates in a single pass that stops at the first error, and
 * keeps the week as JSON text until it is stored: the parsed objects can take far more memory.
 */
export const weeklySlots = z
  .custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    { error: ({ input }) => (input === undefined ? 'is required' : 'must be an object') },
  )
  .meta({
    override: { type: 'object', propertyNames: { enum: DAYS }, additionalProperties: true },
    description: `The week: for each day (\`Sunday\` … \`Saturday\`) any JSON except an array directly inside an array. At most ${MAX_WEEK_VALUES} values (each object, each array and each value in them counts) and ${MAX_WEEK_BYTES} bytes of JSON in total.`,
  })
  .superRefine((week, context) => {
    const hasOnlyDays = Object.keys(week).every((day) => DAYS.includes(day));
    const message = hasOnlyDays
      ? findStorageProblem(week)
      : `must only have the keys ${DAYS.join(', ')}`;
    if (message !== undefined) context.addIssue({ code: 'custom', message, input: week });
  })
  .transform((week) => JSON.stringify(week));

/** Parses the JSON text of a validated week. */
export function parseWeeklySlots(json: string): Record<string, unknown> {
  return JSON.parse(json) as Record<string, unknown>;
}

/**
 * Returns the first reason why Firestore cannot store a JSON value, as a predicate for an error
 * message, or undefined. Checks the number of values, the size, nested arrays, the depth, field
 * names and Unicode. Stops at the first problem, so that an oversized value costs no more than the
 * largest allowed one.
 */
export function findStorageProblem(value: object): string | undefined {
  let values = 0;

  function findProblem(value: unknown, depth: number): string | undefined {
    values += 1;
    if (values > MAX_WEEK_VALUES) return `must not have more than ${MAX_WEEK_VALUES} values`;
    if (typeof value === 'string') {
      // A string that is too long is rejected later, for its length; do not scan it here.
      return value.length > MAX_WEEK_BYTES || value.isWellFormed()
        ? undefined
        : 'must be valid Unicode';
    }
    // JSON.parse reads 1e999 as Infinity.
    if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'must be finite';
    if (typeof value !== 'object' || value === null) return undefined;
    // The field itself is the first level.
    if (depth >= MAX_WEEK_DEPTH) return `must not be nested deeper than ${MAX_WEEK_DEPTH} levels`;
    if (Array.isArray(value)) {
      for (const item of value as unknown[]) {
        const problem = Array.isArray(item)
          ? 'must not have an array directly inside an array'
          : findProblem(item, depth + 1);
        if (problem !== undefined) return problem;
      }
      return undefined;
    }
    for (const name in value) {
      const problem = isFieldName(name)
        ? findProblem((value as Readonly<Record<string, unknown>>)[name], depth + 1)
        : 'must not have a field whose name is empty, reserved or too long';
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  const problem = findProblem(value, 0);
  if (problem !== undefined) return problem;
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

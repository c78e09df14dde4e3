import { HttpsError } from 'firebase-functions/https';
import type * as z from 'zod';

/**
 * Validates a value. Throws `invalid-argument` with a sentence about the first invalid field
 * (`flashUpdates[3].order must be …`), which never repeats the value that was sent.
 */
export function validated<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  whole = 'The request',
): z.output<Schema> {
  const result = schema.safeParse(value, { error: expectation });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue === undefined || issue.path.length === 0 ? whole : fieldName(issue.path);
  throw new HttpsError('invalid-argument', `${field} ${issue?.message ?? 'is not valid'}.`);
}

/** A path in a value as a caller would write it: `flashUpdates[3].order`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
}

const KINDS: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  int: 'an integer',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
};

/** What the value must be, as the end of a sentence that starts with the field's name. */
function expectation(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'too_small':
      return `must be ${issue.minimum} or more`;
    case 'too_big':
      return `must be ${issue.maximum} or less`;
    default:
      return 'is not valid';
  }
}

import type * as z from 'zod';
// Importing it through `z.core` would add all of zod to the bundle.
import { toDotPath } from 'zod/v4/core';
import { FieldError, ServiceError } from '../declaration/errors.ts';

/**
 * Validates a value. Throws `invalid-argument` with a sentence about the first invalid field
 * (`flashUpdates[3].order must be …`), which never repeats the value that was sent. If the value
 * itself is invalid, `subject` is the subject of the sentence.
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  subject = 'The request',
): z.output<Schema> {
  const result = schema.safeParse(value, { error: describeIssue });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = toDotPath(issue?.path ?? []);
  const problem = issue?.message ?? 'is not valid';
  if (field === '') throw new ServiceError('invalid-argument', `${subject} ${problem}.`);
  throw new FieldError('invalid-argument', { field }, problem);
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  int: 'an integer',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
};

/**
 * Describes a Zod issue as the predicate of a sentence whose subject is the field: `must be an
 * integer`.
 */
function describeIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'too_small': {
      const length = describeLength(issue, `at least ${issue.minimum}`);
      return length ?? `must be ${issue.minimum} or more`;
    }
    case 'too_big': {
      const length = describeLength(issue, `at most ${issue.maximum}`);
      return length ?? `must be ${issue.maximum} or less`;
    }
    default:
      return 'is not valid';
  }
}

/** Describes the allowed length of a string or array; undefined for other types. */
function describeLength(
  { origin }: { readonly origin: string },
  bound: string,
): string | undefined {
  if (origin === 'string') return `must have ${bound} characters`;
  return origin === 'array' ? `must have ${bound} items` : undefined;
}

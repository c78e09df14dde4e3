import { Timestamp, type DocumentSnapshot } from 'firebase-admin/firestore';
import { logger } from 'firebase-functions/logger';
import * as z from 'zod';

/** A time: milliseconds since the Unix epoch, UTC. Other writers store a Firestore `Timestamp`: it is read as one. */
export const time = z.preprocess(
  (value) => (value instanceof Timestamp ? value.toMillis() : value),
  z.number().describe('Milliseconds since the Unix epoch, UTC.'),
);

/**
 * A stored document as its wire schema reads it, its `id` being the document's, whatever is stored. Fields
 * that the schema does not name are left out, and so is a value of a wrong type, with a logged warning: one
 * bad document must not break a list. Every field of the schema but `id` must be optional or have a default.
 */
export function readDocument<Schema extends z.ZodObject>(
  schema: Schema,
  document: Pick<DocumentSnapshot, 'id' | 'ref' | 'data'>,
): z.output<Schema> {
  const stored: unknown = { ...document.data(), id: document.id };
  const result = schema.safeParse(stored);
  if (result.success) return result.data;
  const { issues } = result.error;
  logger.warn('Stored values of a wrong type were left out.', {
    document: document.ref.path,
    fields: issues.map((issue) => issue.path.join('.')),
  });
  // From the last to the first, so that leaving out an array's element moves none that is still to go.
  return schema.parse(issues.reduceRight((rest, issue) => without(rest, issue.path), stored));
}

/** A copy of the value without what stands at the path. */
function without(value: unknown, path: readonly PropertyKey[]): unknown {
  const [key, ...rest] = path;
  if (Array.isArray(value)) {
    const elements: readonly unknown[] = value;
    return rest.length === 0
      ? elements.filter((_element, index) => index !== key)
      : elements.map((element, index) => (index === key ? without(element, rest) : element));
  }
  const { [String(key)]: found, ...others } = value as Record<string, unknown>;
  return rest.length === 0 ? others : { ...others, [String(key)]: without(found, rest) };
}

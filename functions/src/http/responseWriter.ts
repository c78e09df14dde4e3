/** Writes responses as their schemas describe them: fields that a schema does not name never leave the service. */
import * as z from 'zod';
import { withoutWrappers } from '../fields.ts';

/** Writes a handler's output, or a part of it, as JSON. */
export type ResponseWriter = (output: unknown) => string;

/**
 * Makes the writer for the schema of a response. It selects the fields that the schema names, at every level, without
 * validating their values again.
 */
export function responseWriter(schema: z.ZodType): ResponseWriter {
  const select = selector(schema, 'response');
  return (output) => JSON.stringify(select(output));
}

/** Selects what a schema names of a value. Throws if the value is of another kind. */
type Selector = (value: unknown) => unknown;

function selector(schema: z.core.$ZodType, path: string): Selector {
  const type = withoutWrappers(schema);
  if (type !== schema) {
    const select = selector(type, path);
    return (value) => (value === undefined ? undefined : select(value));
  }
  if (schema instanceof z.ZodArray) {
    const select = selector(schema.element, `${path}[]`);
    return (value) => {
      if (!Array.isArray(value)) throw mismatch(path);
      return value.map(select);
    };
  }
  if (schema instanceof z.ZodObject && schema.def.catchall === undefined) {
    return membersSelector(schema, path);
  }
  const primitive = PRIMITIVES[schema._zod.def.type];
  if (primitive === undefined) return (value) => z.parse(schema, value);
  return (value) => {
    if (typeof value !== primitive) throw mismatch(path);
    return value;
  };
}

/** The kinds of schemas whose values need no parsing: they have no fields. */
const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
};

function membersSelector(schema: z.ZodObject, path: string): Selector {
  const members = Object.entries<z.core.$ZodType>(schema.shape).map(([name, member]) => ({
    name,
    select: selector(member, `${path}.${name}`),
  }));
  return (value) => {
    if (typeof value !== 'object' || value === null) throw mismatch(path);
    const selected: Record<string, unknown> = {};
    for (const { name, select } of members) {
      const member = select((value as Readonly<Record<string, unknown>>)[name]);
      if (member !== undefined) selected[name] = member;
    }
    return selected;
  };
}

function mismatch(path: string): Error {
  return new Error(`A response does not fit its schema: see ${path}.`);
}

/** Writes responses as their schemas describe them: fields that a schema does not name never leave the service. */
import * as z from 'zod';
import { withoutWrappers } from '../fields.ts';
import { writes, type Declaration } from './declaration.ts';

/** Writes a handler's output, or a part of it, as JSON. */
export type ResponseWriter = (output: unknown) => string;

/**
 * Makes the writer for the response of an endpoint. It selects the fields that the schema names, at every level, without
 * validating their values again. Throws for a value of another kind than the schema's; the message is for the log.
 */
export function responseWriter(
  declaration: Pick<Declaration, 'method' | 'path' | 'response'>,
): ResponseWriter {
  const select = selector(declaration.response, 'response');
  return (output) => {
    try {
      return JSON.stringify(select(output));
    } catch (cause) {
      const { method, path } = declaration;
      // `flash.listByArtist`
      const target = process.env.FUNCTION_TARGET;
      const file = target === undefined ? '' : ` (functions/src/${target.replace('.', '/')}.ts)`;
      const written = writes(declaration) ? ' What the request has written stays.' : '';
      const what = cause instanceof TypeError ? cause.message : 'a field is not valid';
      throw new Error(
        `${method} ${path}${file} returned what its schema does not allow: ${what}.${written}`,
        { cause },
      );
    }
  };
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
  return new TypeError(`${path} is of another type`);
}

import * as z from 'zod';
import { WrittenDocument } from '../writtenDocument.ts';

/** Writes a handler's output as JSON: what the schema of the response names, and nothing else. */
export type ResponseWriter = (output: unknown) => string | undefined;

/** Makes the writer for the schema of a response. Documents are written already, all else is parsed. */
export function responseWriter(schema: z.ZodType): ResponseWriter {
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodObject) {
    requirePlain(schema);
    const write = responseWriter(schema.element);
    return (list) => `[${(list as readonly unknown[]).map(write).join(',')}]`;
  }
  if (!(schema instanceof z.ZodObject)) return (value) => JSON.stringify(schema.parse(value));
  requirePlain(schema);
  const members = Object.entries<z.ZodType>(schema.shape).map(([name, member]) => ({
    name,
    key: `${JSON.stringify(name)}:`,
    write: responseWriter(member),
  }));
  return (value) => {
    if (value instanceof WrittenDocument) return value.jsonFor(schema);
    const written = members.flatMap(({ name, key, write }) => {
      const json = write((value as Readonly<Record<string, unknown>>)[name]);
      return json === undefined ? [] : [key + json];
    });
    return `{${written.join(',')}}`;
  };
}

/** Throws if a list or an object demands more than its elements or members do: it would be ignored. */
function requirePlain({ def }: z.ZodArray | z.ZodObject): void {
  if (def.checks?.length || 'catchall' in def) {
    throw new Error('Lists and objects of a response must have no checks and no catchall.');
  }
}

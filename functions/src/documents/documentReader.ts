/** Reads stored documents as the objects of responses. */
import { logger } from 'firebase-functions/logger';
import * as z from 'zod';
import { timeOf, times } from '../times.ts';
import { isWrapper, withoutWrappers } from '../wrappers.ts';
import {
  elementsOf,
  fromValue,
  type Fields,
  type StoredDocument,
  type Value,
} from '@tattoo-marketplace/firestore-rest';

/** The most wrong values that one warning lists. */
const MAX_EXAMPLES = 5;

const NO_VALUE: Value = { nullValue: null };

/** Whether a stored value counts as missing: null, NaN or infinity. */
export function isNoValue({ nullValue, doubleValue }: Value): boolean {
  return nullValue === null || typeof doubleValue === 'string';
}

/** Called for each stored value of a wrong type. */
export type OnWrong = (field: string, type: z.core.$ZodType, value: Value) => void;

/** Stored values of a wrong type. */
class WrongValues {
  /** The path of the document that is being read. */
  document = '';
  count = 0;
  readonly examples: { readonly document: string; readonly field: string }[] = [];

  readonly add: OnWrong = (field) => {
    this.count += 1;
    if (this.examples.length < MAX_EXAMPLES) this.examples.push({ document: this.document, field });
  };

  /** Logs one warning for all of them, if there are any. It has their locations, never the values. */
  report(): void {
    const { count, examples } = this;
    if (count > 0) logger.warn('Stored values of a wrong type were ignored.', { count, examples });
  }
}

/** Reads stored documents as a schema describes them. Logs one warning for all wrong values of a call. */
export interface DocumentReader<Output> {
  /** The paths of the fields that a query needs to select, for example `artistInfo.username`. */
  readonly fields: readonly string[];
  /** Reads stored fields into an object, and reports values of a wrong type to the caller instead of the log. */
  readonly readFields: ReturnType<typeof membersReader>;
  readAll(documents: readonly StoredDocument[]): Output[];
  readParts(parts: AsyncIterable<readonly StoredDocument[]>): AsyncGenerator<Output[]>;
}

/**
 * Makes the reader for a wire schema. `id` is always the document's own. Fields that the schema does not name are left
 * out, and so are values of a wrong type: one bad document must not break a list. A stored null, NaN or infinity counts as
 * missing. All fields of the schema except `id` must be optional or have a default.
 *
 * It reads Firestore's JSON in one pass; zod checks only values whose schemas have checks.
 */
export function documentReader<Schema extends z.ZodObject<{ id: z.ZodString }>>(
  schema: Schema,
): DocumentReader<z.output<Schema>> {
  requireUnchecked(schema, 'a document');
  const members = Object.entries<z.core.$ZodType>(schema.shape).filter(([name]) => name !== 'id');
  const readFields = membersReader(members, '');

  const readFor = (wrong: WrongValues) => (document: StoredDocument) => {
    wrong.document = document.path;
    return readFields(document.fields, wrong.add, { id: document.id }) as z.output<Schema>;
  };

  return {
    fields: members.flatMap(([name, member]) => leafPaths(name, member)),
    readFields,
    readAll: (documents) => {
      const wrong = new WrongValues();
      const all = documents.map(readFor(wrong));
      wrong.report();
      return all;
    },
    readParts: async function* (parts) {
      const wrong = new WrongValues();
      for await (const part of parts) yield part.map(readFor(wrong));
      wrong.report();
    },
  };
}

/** The paths of a field that a query selects: never a whole map, which may have any other fields. */
function leafPaths(name: string, schema: z.core.$ZodType): string[] {
  const type = withoutWrappers(schema);
  if (!(type instanceof z.ZodObject)) return [name];
  return Object.entries<z.core.$ZodType>(type.shape).flatMap(([member, inner]) =>
    leafPaths(member, inner).map((path) => `${name}.${path}`),
  );
}

/** Reads one value as JSON has it; undefined if it is missing or wrong. */
type Reader = (value: Value, onWrong: OnWrong) => unknown;

/** Kinds of schema whose values are a text, a number or a boolean. */
const LEAVES: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'enum']);

/** Throws for what no reader checks: refinements of objects, lists and optional values, and further fields of objects. */
function requireUnchecked({ _zod: { def } }: z.core.$ZodType, path: string): void {
  if (def.checks?.length) throw unsupported(path, 'checks');
  if ('catchall' in def && def.catchall !== undefined) throw unsupported(path, 'catchall');
}

function unsupported(path: string, what: string): Error {
  return new Error(`The schema of ${path} is not supported for stored documents: ${what}.`);
}

/** The reader for a part of a schema. Throws for kinds of schema that no document uses yet: add them here. */
function reader(schema: z.core.$ZodType, path: string): Reader {
  const { type } = schema._zod.def;
  if (!LEAVES.has(type)) requireUnchecked(schema, path);
  if (isWrapper(schema)) {
    const read = reader(schema.unwrap(), path);
    // Computed once: all documents without a value share it.
    const fallback = frozen(z.parse(schema, undefined));
    return (value, onWrong) => read(value, onWrong) ?? fallback;
  }
  const read = readerOfKind(schema, path);
  return (value, onWrong) => {
    if (isNoValue(value)) return undefined;
    const found = read(value, onWrong);
    if (found === undefined) onWrong(path, schema, value);
    return found;
  };
}

/** Makes a value immutable at every level. */
function frozen(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

function readerOfKind(schema: z.core.$ZodType, path: string): Reader {
  if (schema instanceof z.ZodObject) {
    const read = membersReader(Object.entries(schema.shape), `${path}.`);
    return ({ mapValue }, onWrong) => mapValue && read(mapValue.fields ?? {}, onWrong, {});
  }
  if (schema instanceof z.ZodArray) {
    const read = reader(schema.element, `${path}[]`);
    return (value, onWrong) => {
      if (value.arrayValue === undefined) return undefined;
      const elements = elementsOf(value).map((element) => read(element, onWrong));
      return elements.filter((element) => element !== undefined);
    };
  }
  if (times.get(schema)) return timeOf;
  const { type, checks = [], ...demands } = schema._zod.def;
  if (!LEAVES.has(type)) throw unsupported(path, type);
  // It would read a map as a text, and the text "false" as true.
  if ('coerce' in demands) throw unsupported(path, 'coerce');
  if (checks.length > 0 || Object.keys(demands).length > 0) {
    return (value) => z.safeParse(schema, fromValue(value)).data;
  }
  // Most fields have no checks. zod would take twice the time for them.
  return (value) => {
    const found = fromValue(value);
    return typeof found === type ? found : undefined;
  };
}

/** The reader for these members of an object: it adds them to one. */
function membersReader(schemas: readonly (readonly [string, z.core.$ZodType])[], path: string) {
  const members = schemas.map(([name, schema]) => {
    const read = reader(schema, path + name);
    if (!z.safeParse(schema, undefined).success) throw unsupported(path + name, 'required');
    return { name, read };
  });
  return (stored: Fields, onWrong: OnWrong, object: Record<string, unknown>) => {
    for (const { name, read } of members) {
      const value = read(stored[name] ?? NO_VALUE, onWrong);
      if (value !== undefined) object[name] = value;
    }
    return object;
  };
}

/**
 * Decodes stored documents (Firestore's JSON) into response objects. A decoder is compiled from the
 * schema once, one function per field, and decodes a document in a single pass. A missing or
 * invalid value is replaced by the field's default, or omitted: one bad document must not break a
 * list. Invalid values are counted, and one warning per list logs where the first few are.
 */
import { logger } from 'firebase-functions/logger';
import * as z from 'zod';
import { timeOf, times } from './times.ts';
import { unwrapSchema } from '@tattoo-marketplace/endpoints';
import {
  getArrayElements,
  decodePrimitive,
  type Fields,
  type StoredDocument,
  type Value,
} from '@tattoo-marketplace/firestore-rest';

/** The schema of stored documents. `id` is the id of the document; all other fields must be optional or have a default. */
export type DocumentSchema = z.ZodObject<{ id: z.ZodString }>;

/** Called for each stored value of a wrong type. */
export type OnWrong = (field: string, type: z.core.$ZodType, value: Value) => void;

/** Reads stored documents as a schema describes them. Logs one warning for all wrong values of a call. */
export interface DocumentReader<Output> {
  /** The paths of the fields that a query needs to select, for example `artistInfo.username`. */
  readonly fields: readonly string[];
  /** Decodes stored fields. Reports invalid values to `onInvalid` instead of logging them. */
  readonly readFields: (stored: Fields, onWrong: OnWrong) => Record<string, unknown>;
  readAll(documents: readonly StoredDocument[]): Output[];
  readParts(parts: AsyncIterable<readonly StoredDocument[]>): AsyncGenerator<Output[]>;
}

/** Makes the reader for a schema. The fields by which the documents were filtered may be required. */
export function documentReader<Schema extends DocumentSchema>(
  schema: Schema,
  filters: readonly string[] = [],
): DocumentReader<z.output<Schema>> {
  requireUnchecked(schema, 'a document');
  const members = Object.entries<z.core.$ZodType>(schema.shape).filter(([name]) => name !== 'id');
  const readFields = membersReader(members, '', filters);
  const read = (documents: readonly StoredDocument[], wrong: WrongValues) =>
    documents.map(({ id, path, fields }) => {
      return { id, ...readFields(fields, wrong.of(path)) } as z.output<Schema>;
    });

  return {
    fields: members.flatMap(([name, member]) => leafPaths(name, member)),
    readFields,
    readAll: (documents) => {
      const wrong = new WrongValues();
      const all = read(documents, wrong);
      wrong.report();
      return all;
    },
    readParts: async function* (parts) {
      const wrong = new WrongValues();
      for await (const part of parts) yield read(part, wrong);
      wrong.report();
    },
  };
}

/** The most wrong values that one warning lists. */
const MAX_EXAMPLES = 5;

/** Stored values of a wrong type. */
class WrongValues {
  #count = 0;
  readonly #examples: { readonly document: string; readonly field: string }[] = [];

  /** Adds those of one document. */
  of(document: string): OnWrong {
    return (field) => {
      this.#count += 1;
      if (this.#examples.length < MAX_EXAMPLES) this.#examples.push({ document, field });
    };
  }

  /** Logs one warning for all of them, if there are any. It has their locations, never the values. */
  report(): void {
    if (this.#count === 0) return;
    const found = { count: this.#count, examples: this.#examples };
    logger.warn('Ignored stored values of the wrong type.', found);
  }
}

/**
 * The field paths that a query selects: the leaves of maps, never a whole map, which may contain
 * undeclared fields.
 */
function leafPaths(name: string, schema: z.core.$ZodType): string[] {
  const type = unwrapSchema(schema);
  if (!(type instanceof z.ZodObject)) return [name];
  return Object.entries<z.core.$ZodType>(type.shape).flatMap(([member, inner]) =>
    leafPaths(member, inner).map((path) => `${name}.${path}`),
  );
}

/**
 * Creates the decoder for a document or map. Throws if a field is required but not filtered by:
 * stored documents may lack it.
 */
function membersReader(
  schemas: readonly (readonly [name: string, schema: z.core.$ZodType])[],
  parent: string,
  filters: readonly string[],
): DocumentReader<unknown>['readFields'] {
  const members = schemas.map(([name, schema]) => {
    const path = parent + name;
    const read = memberReader(schema, path, filters);
    const isFilter = filters.some((filter) => `${filter}.`.startsWith(`${path}.`));
    if (!isFilter && !z.safeParse(schema, undefined).success) throw unsupported(path, 'required');
    return { name, read };
  });
  return (stored, onWrong) => {
    const object: Record<string, unknown> = {};
    for (const { name, read } of members) {
      const value = read(stored[name], onWrong);
      if (value !== undefined) object[name] = value;
    }
    return object;
  };
}

/**
 * Creates the decoder for one field or array element. It returns the default, or undefined, for a
 * missing or invalid value.
 */
function memberReader(schema: z.core.$ZodType, path: string, filters: readonly string[]) {
  const type = unwrapSchema(schema);
  requireUnchecked(schema, path);
  requireUnchecked(type, path);
  const read = valueReader(type, path, filters);
  // Computed once: all documents without a value share it.
  const fallback = frozen(z.safeParse(schema, undefined).data);
  return (value: Value | undefined, onWrong: OnWrong) => {
    if (!hasValue(value)) return fallback;
    const found = read(value, onWrong);
    if (found === undefined) onWrong(path, type, value);
    return found ?? fallback;
  };
}

/** Whether there is a stored value: null, NaN and infinity count as missing. */
export function hasValue(value: Value | undefined): value is Value {
  return value !== undefined && value.nullValue !== null && typeof value.doubleValue !== 'string';
}

/** Makes a value immutable at every level. */
function frozen(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

/** Types whose values are a text, a number or a boolean. */
const LEAVES: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'enum']);

/**
 * Creates the decoder for a type. It returns undefined for a value of another type. Throws for Zod
 * types that are not supported yet; add them here.
 */
function valueReader(
  schema: z.core.$ZodType,
  path: string,
  filters: readonly string[],
): (value: Value, onWrong: OnWrong) => unknown {
  if (schema instanceof z.ZodObject) {
    const read = membersReader(Object.entries(schema.shape), `${path}.`, filters);
    return ({ mapValue }, onWrong) => mapValue && read(mapValue.fields ?? {}, onWrong);
  }
  if (schema instanceof z.ZodArray) {
    const read = memberReader(schema.element, `${path}[]`, []);
    return (value, onWrong) => {
      if (value.arrayValue === undefined) return undefined;
      const elements = getArrayElements(value).map((element) => read(element, onWrong));
      return elements.filter((element) => element !== undefined);
    };
  }
  if (times.get(schema)) return timeOf;
  const { type, checks = [], ...demands } = schema._zod.def;
  if (!LEAVES.has(type)) throw unsupported(path, type);
  // `z.coerce` would turn a map into a string, and the string "false" into true.
  if ('coerce' in demands) throw unsupported(path, 'coerce');
  if (checks.length > 0 || Object.keys(demands).length > 0) {
    return (value) => z.safeParse(schema, decodePrimitive(value)).data;
  }
  // Most fields have no checks. zod would take twice the time for them.
  return (value) => {
    const found = decodePrimitive(value);
    return typeof found === type ? found : undefined;
  };
}

/** Throws for what no reader checks: refinements of objects, lists and optional values. */
function requireUnchecked({ _zod: { def } }: z.core.$ZodType, path: string): void {
  if (!LEAVES.has(def.type) && def.checks?.length) throw unsupported(path, 'checks');
}

function unsupported(path: string, what: string): Error {
  return new Error(`The schema of ${path} is not supported for stored documents: ${what}.`);
}

/**
 * Decodes stored documents (Firestore's JSON) into response objects. A decoder is compiled from the
 * schema once, one function per field, and decodes a document in a single pass. A missing or
 * invalid value is replaced by the field's default, or omitted: one bad document must not break a
 * list. Invalid values are counted, and one warning per list logs where the first few are.
 */
import { logger } from 'firebase-functions/logger';
import * as z from 'zod';
import { decodeTime, timeSchemas } from './storedTime.ts';
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
export type OnInvalidValue = (field: string, type: z.core.$ZodType, value: Value) => void;

/** Reads stored documents as a schema describes them. Logs one warning for all wrong values of a call. */
export interface DocumentDecoder<Output> {
  /** The paths of the fields that a query needs to select, for example `artistInfo.username`. */
  readonly fields: readonly string[];
  /** Decodes stored fields. Reports invalid values to `onInvalid` instead of logging them. */
  readonly decodeFields: (stored: Fields, onInvalid: OnInvalidValue) => Record<string, unknown>;
  decodeAll(documents: readonly StoredDocument[]): Output[];
  decodeBatches(parts: AsyncIterable<readonly StoredDocument[]>): AsyncGenerator<Output[]>;
}

/** Makes the reader for a schema. The fields by which the documents were filtered may be required. */
export function createDocumentDecoder<Schema extends DocumentSchema>(
  schema: Schema,
  filters: readonly string[] = [],
): DocumentDecoder<z.output<Schema>> {
  assertNoChecks(schema, 'a document');
  const members = Object.entries<z.core.$ZodType>(schema.shape).filter(([name]) => name !== 'id');
  const readFields = createMapDecoder(members, '', filters);
  const read = (documents: readonly StoredDocument[], wrong: InvalidValues) =>
    documents.map(({ id, path, fields }) => {
      return { id, ...readFields(fields, wrong.of(path)) } as z.output<Schema>;
    });

  return {
    fields: members.flatMap(([name, member]) => selectedPaths(name, member)),
    decodeFields: readFields,
    decodeAll: (documents) => {
      const wrong = new InvalidValues();
      const all = read(documents, wrong);
      wrong.report();
      return all;
    },
    decodeBatches: async function* (parts) {
      const wrong = new InvalidValues();
      for await (const part of parts) yield read(part, wrong);
      wrong.report();
    },
  };
}

/** The most wrong values that one warning lists. */
const MAX_EXAMPLES = 5;

/** Stored values of a wrong type. */
class InvalidValues {
  #count = 0;
  readonly #examples: { readonly document: string; readonly field: string }[] = [];

  /** Adds those of one document. */
  of(document: string): OnInvalidValue {
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
function selectedPaths(name: string, schema: z.core.$ZodType): string[] {
  const type = unwrapSchema(schema);
  if (!(type instanceof z.ZodObject)) return [name];
  return Object.entries<z.core.$ZodType>(type.shape).flatMap(([member, inner]) =>
    selectedPaths(member, inner).map((path) => `${name}.${path}`),
  );
}

/**
 * Creates the decoder for a document or map. Throws if a field is required but not filtered by:
 * stored documents may lack it.
 */
function createMapDecoder(
  schemas: readonly (readonly [name: string, schema: z.core.$ZodType])[],
  parent: string,
  filters: readonly string[],
): DocumentDecoder<unknown>['decodeFields'] {
  const members = schemas.map(([name, schema]) => {
    const path = parent + name;
    const read = createFieldDecoder(schema, path, filters);
    const isFilter = filters.some((filter) => `${filter}.`.startsWith(`${path}.`));
    if (!isFilter && !z.safeParse(schema, undefined).success)
      throw unsupportedSchemaError(path, 'required');
    return { name, read };
  });
  return (stored, onInvalid) => {
    const object: Record<string, unknown> = {};
    for (const { name, read } of members) {
      const value = read(stored[name], onInvalid);
      if (value !== undefined) object[name] = value;
    }
    return object;
  };
}

/**
 * Creates the decoder for one field or array element. It returns the default, or undefined, for a
 * missing or invalid value.
 */
function createFieldDecoder(schema: z.core.$ZodType, path: string, filters: readonly string[]) {
  const type = unwrapSchema(schema);
  assertNoChecks(schema, path);
  assertNoChecks(type, path);
  const read = createValueDecoder(type, path, filters);
  // Computed once: all documents without a value share it.
  const defaultValue = deepFreeze(z.safeParse(schema, undefined).data);
  return (value: Value | undefined, onInvalid: OnInvalidValue) => {
    if (!isPresent(value)) return defaultValue;
    const found = read(value, onInvalid);
    if (found === undefined) onInvalid(path, type, value);
    return found ?? defaultValue;
  };
}

/** Whether there is a stored value: null, NaN and infinity count as missing. */
export function isPresent(value: Value | undefined): value is Value {
  return value !== undefined && value.nullValue !== null && typeof value.doubleValue !== 'string';
}

/** Makes a value immutable at every level. */
function deepFreeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}

/** Types whose values are a text, a number or a boolean. */
const PRIMITIVE_TYPES: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'enum']);

/**
 * Creates the decoder for a type. It returns undefined for a value of another type. Throws for Zod
 * types that are not supported yet; add them here.
 */
function createValueDecoder(
  schema: z.core.$ZodType,
  path: string,
  filters: readonly string[],
): (value: Value, onInvalid: OnInvalidValue) => unknown {
  if (schema instanceof z.ZodObject) {
    const read = createMapDecoder(Object.entries(schema.shape), `${path}.`, filters);
    return ({ mapValue }, onInvalid) => mapValue && read(mapValue.fields ?? {}, onInvalid);
  }
  if (schema instanceof z.ZodArray) {
    const read = createFieldDecoder(schema.element, `${path}[]`, []);
    return (value, onInvalid) => {
      if (value.arrayValue === undefined) return undefined;
      const elements = getArrayElements(value).map((element) => read(element, onInvalid));
      return elements.filter((element) => element !== undefined);
    };
  }
  if (timeSchemas.get(schema)) return decodeTime;
  const { type, checks = [], ...constraints } = schema._zod.def;
  if (!PRIMITIVE_TYPES.has(type)) throw unsupportedSchemaError(path, type);
  // `z.coerce` would turn a map into a string, and the string "false" into true.
  if ('coerce' in constraints) throw unsupportedSchemaError(path, 'coerce');
  if (checks.length > 0 || Object.keys(constraints).length > 0) {
    return (value) => z.safeParse(schema, decodePrimitive(value)).data;
  }
  // Most fields have no checks. zod would take twice the time for them.
  return (value) => {
    const found = decodePrimitive(value);
    return typeof found === type ? found : undefined;
  };
}

/** Throws for what no reader checks: refinements of objects, lists and optional values. */
function assertNoChecks({ _zod: { def } }: z.core.$ZodType, path: string): void {
  if (!PRIMITIVE_TYPES.has(def.type) && def.checks?.length)
    throw unsupportedSchemaError(path, 'checks');
}

function unsupportedSchemaError(path: string, what: string): Error {
  return new Error(`The schema of ${path} is not supported for stored documents: ${what}.`);
}

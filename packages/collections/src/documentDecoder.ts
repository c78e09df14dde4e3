/**
 * Decodes stored documents (Firestore's JSON) into response objects. A decoder is compiled from the
 * schema once, on first use, with one function per field, and decodes a document in a single pass. A
 * missing or invalid value is replaced by the field's default, or omitted: one bad document must not
 * break a list. One warning per list counts the invalid values and locates the first few.
 */
import * as z from 'zod';
import { unwrapSchema } from '@tattoo-marketplace/endpoints';
import {
  getArrayElements,
  decodePrimitive,
  type Fields,
  type StoredDocument,
  type Value,
} from '@tattoo-marketplace/firestore-rest';
import { deepFreeze } from './deepFreeze.ts';
import { listFields, type DocumentSchema } from './documentSchema.ts';
import { InvalidValues } from './invalidValues.ts';
import type { StoredList } from './storedLists.ts';
import { decodeTime, timeSchemas } from './times.ts';

/** Is called with stored values while a document is decoded. */
export interface DecodeObserver {
  /** Gets each value of a wrong type. */
  readonly onInvalidValue?: (field: string, type: z.core.$ZodType, value: Value) => void;
  /** Gets each decoded list, and the stored list that it was decoded from. */
  readonly onList?: (field: string, items: readonly unknown[], stored: StoredList) => void;
}

/** Decodes the fields of a document or map. */
type FieldsDecoder = (fields: Fields, observer: DecodeObserver) => Record<string, unknown>;

/** Decodes stored documents. Logs one warning for all invalid values of a call. */
export interface DocumentDecoder<Output> {
  /** The paths of the fields that a query needs to select, for example `artistInfo.username`. */
  readonly fields: readonly string[];
  /** Decodes stored fields. Reports invalid values to the observer instead of logging them. */
  readonly decodeFields: FieldsDecoder;
  decodeAll(documents: readonly StoredDocument[]): Output[];
  decodeBatches(batches: AsyncIterable<readonly StoredDocument[]>): AsyncGenerator<Output[]>;
}

/** Decodes a stored value; undefined if it has another type. */
type ValueDecoder = (value: Value, observer: DecodeObserver) => unknown;

/** Creates the decoder for a supported schema. It is compiled on first use. */
export function createDocumentDecoder<Schema extends DocumentSchema>(
  schema: Schema,
): DocumentDecoder<z.output<Schema>> {
  const fields = listFields(schema);
  let compiledDecoder: FieldsDecoder | undefined;
  const decodeFields: FieldsDecoder = (stored, observer) => {
    compiledDecoder ??= createFieldsDecoder(fields, '');
    return compiledDecoder(stored, observer);
  };
  const decode = (documents: readonly StoredDocument[], invalidValues: InvalidValues) =>
    documents.map(({ id, path, fields: stored }) => {
      const onInvalidValue = (field: string) => {
        invalidValues.add(path, field);
      };
      const decoded = decodeFields(stored, { onInvalidValue });
      return { id, ...decoded } as z.output<Schema>;
    });

  return {
    fields: fields.flatMap(([name, field]) => listSelectedPaths(name, field)),
    decodeFields,
    decodeAll: (documents) => {
      const invalidValues = new InvalidValues();
      const decoded = decode(documents, invalidValues);
      invalidValues.log();
      return decoded;
    },
    decodeBatches: async function* (batches) {
      const invalidValues = new InvalidValues();
      for await (const documents of batches) yield decode(documents, invalidValues);
      invalidValues.log();
    },
  };
}

/**
 * Lists the field paths that a query selects: the leaves of maps, never an entire map, which may
 * contain undeclared fields.
 */
function listSelectedPaths(path: string, schema: z.core.$ZodType): string[] {
  const type = unwrapSchema(schema);
  if (!(type instanceof z.ZodObject)) return [path];
  return Object.entries<z.core.$ZodType>(type.shape).flatMap(([name, field]) =>
    listSelectedPaths(`${path}.${name}`, field),
  );
}

/** Creates the decoder for the fields of a document or map, or for some of them. `parent` is the path of the map. */
export function createFieldsDecoder(
  schemas: readonly (readonly [name: string, schema: z.core.$ZodType])[],
  parent: string,
): FieldsDecoder {
  const decoders = schemas.map(([name, schema]) => {
    return { name, decode: createFieldDecoder(schema, parent + name) };
  });
  return (stored, observer) => {
    const object: Record<string, unknown> = {};
    for (const { name, decode } of decoders) {
      const value = decode(stored[name], observer);
      if (value !== undefined) object[name] = value;
    }
    return object;
  };
}

/** Creates the decoder for a field or an array item. It returns the default for a missing or invalid value. */
function createFieldDecoder(schema: z.core.$ZodType, path: string) {
  const type = unwrapSchema(schema);
  const decode = createValueDecoder(type, path);
  // All documents without a value share the default.
  const defaultValue = deepFreeze(z.safeParse(schema, undefined).data);
  return (value: Value | undefined, observer: DecodeObserver) => {
    if (!isPresent(value)) return defaultValue;
    const decoded = decode(value, observer);
    if (decoded === undefined) observer.onInvalidValue?.(path, type, value);
    return decoded ?? defaultValue;
  };
}

/** Returns whether a value is stored. Null, NaN and infinity count as missing. */
export function isPresent(value: Value | undefined): value is Value {
  return value !== undefined && value.nullValue !== null && typeof value.doubleValue !== 'string';
}

function createValueDecoder(type: z.core.$ZodType, path: string): ValueDecoder {
  if (type instanceof z.ZodObject) {
    const decodeFields = createFieldsDecoder(Object.entries(type.shape), `${path}.`);
    return ({ mapValue }, observer) => mapValue && decodeFields(mapValue.fields ?? {}, observer);
  }
  if (type instanceof z.ZodArray) return createListDecoder(type.element, path);
  if (timeSchemas.get(type)) return decodeTime;
  return createPrimitiveDecoder(type);
}

function createListDecoder(schema: z.core.$ZodType, path: string): ValueDecoder {
  const decode = createFieldDecoder(schema, `${path}[]`);
  return (value, observer) => {
    if (value.arrayValue === undefined) return undefined;
    const values = getArrayElements(value);
    const decoded = values.map((item) => decode(item, observer));
    const items = decoded.filter((item) => item !== undefined);
    observer.onList?.(path, items, { values, decoded });
    return items;
  };
}

function createPrimitiveDecoder(schema: z.core.$ZodType): ValueDecoder {
  const { type, checks = [], ...constraints } = schema._zod.def;
  if (checks.length > 0 || Object.keys(constraints).length > 0) {
    return (value) => z.safeParse(schema, decodePrimitive(value)).data;
  }
  // Most fields have no checks. Zod would take twice the time for them.
  return (value) => {
    const decoded = decodePrimitive(value);
    return typeof decoded === type ? decoded : undefined;
  };
}

/** Writes stored documents as the JSON of responses. */
import { logger } from 'firebase-functions/logger';
import * as z from 'zod';
import { times } from '../fields.ts';
import { WrittenDocument } from '../writtenDocument.ts';
import type { StoredDocument } from './documents.ts';
import { elementsOf, millisOf, toValue, type Fields, type Value } from './values.ts';

/** The most wrong values that one warning lists. */
const MAX_EXAMPLES = 5;

/** Collects stored values of a wrong type. */
class WrongValues {
  /** The path of the document that is being read. */
  document = '';
  #count = 0;
  readonly #examples: { readonly document: string; readonly field: string }[] = [];

  add(field: string): void {
    this.#count += 1;
    if (this.#examples.length < MAX_EXAMPLES) {
      this.#examples.push({ document: this.document, field });
    }
  }

  /** Logs one warning for all of them, if there are any. It has their locations, never the values. */
  report(): void {
    if (this.#count === 0) return;
    logger.warn('Stored values of a wrong type were ignored.', {
      count: this.#count,
      examples: this.#examples,
    });
  }
}

/** Writes stored documents as a schema describes them. Logs one warning for all wrong values of a call. */
export interface DocumentReader<Output> {
  /** The fields that a query needs to select. */
  readonly fields: readonly string[];
  read(document: StoredDocument): WrittenDocument<Output>;
  readAll(documents: readonly StoredDocument[]): readonly WrittenDocument<Output>[];
  readParts(
    parts: AsyncIterable<readonly StoredDocument[]>,
  ): AsyncGenerator<readonly WrittenDocument<Output>[]>;
}

/**
 * Makes the reader for a wire schema. `id` is always the document's own. Fields that the schema does not name are left
 * out, and so are the fields `without` and values of a wrong type: one bad document must not break a list. A stored
 * null, NaN or infinity counts as missing. All fields of the schema except `id` must be optional or have a default.
 *
 * It writes the response's JSON from Firestore's in one pass. Decoding, validating and serializing takes several times
 * as long.
 */
export function documentReader<Schema extends z.ZodObject<{ id: z.ZodString }>>(
  schema: Schema,
  without: readonly string[] = [],
): DocumentReader<z.output<Schema>> {
  const fields = Object.keys(schema.shape).filter((name) => ![...without, 'id'].includes(name));
  const writeFields = membersWriter(schema, fields, '');

  function write(document: StoredDocument, wrong: WrongValues) {
    wrong.document = document.path;
    const json = `{"id":${JSON.stringify(document.id)}${writeFields(document.fields, wrong)}}`;
    return new WrittenDocument<z.output<Schema>>(schema, json);
  }

  return {
    fields,
    read: (document) => reporting((wrong) => write(document, wrong)),
    readAll: (documents) =>
      reporting((wrong) => documents.map((document) => write(document, wrong))),
    readParts: async function* (parts) {
      const wrong = new WrongValues();
      for await (const part of parts) yield part.map((document) => write(document, wrong));
      wrong.report();
    },
  };
}

function reporting<Result>(work: (wrong: WrongValues) => Result): Result {
  const wrong = new WrongValues();
  const result = work(wrong);
  wrong.report();
  return result;
}

/** Writes one value as JSON; undefined if it is missing or wrong. */
type Writer = (value: Value, wrong: WrongValues) => string | undefined;

/** The members of a schema's definition that are observed. Any other, such as a check, would be ignored. */
const OBSERVED: ReadonlySet<string> = new Set(
  'type innerType defaultValue shape element entries check format abort error'.split(' '),
);

/** Throws for a schema that demands more of its values than is observed. */
function requireObserved({ _zod }: z.core.$ZodType, path: string): void {
  for (const [name, demand] of Object.entries(_zod.def)) {
    const isAbsent = demand === undefined || (Array.isArray(demand) && demand.length === 0);
    if (!OBSERVED.has(name) && !isAbsent) throw unsupported(path, name);
  }
}

function unsupported(path: string, what: string): Error {
  return new Error(`The schema of ${path} is not supported for stored documents: ${what}.`);
}

/** The writer for a part of a schema. Throws for kinds of schema that no document uses yet: add them here. */
function writer(schema: z.core.$ZodType, path: string): Writer {
  requireObserved(schema, path);
  if (schema instanceof z.ZodOptional) return writer(schema.unwrap(), path);
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    const { defaultValue } = schema.def;
    const write = writer(schema.unwrap(), path);
    const fallback =
      schema instanceof z.ZodDefault
        ? JSON.stringify(defaultValue)
        : write(toValue(defaultValue), new WrongValues());
    return (value, wrong) => write(value, wrong) ?? fallback;
  }
  const write = writerOfKind(schema, path);
  return (value, wrong) => {
    const json = write(value, wrong);
    if (json === undefined && !isNoValue(value)) wrong.add(path);
    return json;
  };
}

function writerOfKind(schema: z.core.$ZodType, path: string): Writer {
  if (schema instanceof z.ZodObject) {
    const write = membersWriter(schema, Object.keys(schema.shape), `${path}.`);
    return ({ mapValue }, wrong) => mapValue && `{${write(mapValue.fields ?? {}, wrong).slice(1)}}`;
  }
  if (schema instanceof z.ZodArray) {
    const write = writer(schema.element, `${path}[]`);
    return (value, wrong) => {
      if (value.arrayValue === undefined) return undefined;
      const elements = elementsOf(value).map((element) => write(element, wrong));
      return `[${elements.filter((json) => json !== undefined).join(',')}]`;
    };
  }
  if (schema instanceof z.ZodEnum) {
    const allowed = new Set<unknown>(schema.options);
    return ({ stringValue }) =>
      allowed.has(stringValue) ? JSON.stringify(stringValue) : undefined;
  }
  if (schema instanceof z.ZodString) return ({ stringValue }) => JSON.stringify(stringValue);
  if (schema instanceof z.ZodBoolean) return ({ booleanValue }) => JSON.stringify(booleanValue);
  if (times.get(schema)) return writeTime;
  if (schema instanceof z.ZodNumberFormat && schema.format === 'safeint') return writeInteger;
  if (schema instanceof z.ZodNumber && !('format' in schema.def)) return writeNumber;
  throw unsupported(path, schema._zod.def.type);
}

/** Writes these members of an object, each after a comma. */
function membersWriter(schema: z.ZodObject, names: readonly string[], path: string) {
  requireObserved(schema, path || 'a document');
  const members = names.map((name) => {
    const member = schema.shape[name] as z.ZodType;
    const write = writer(member, path + name);
    if (!member.safeParse(undefined).success) throw unsupported(path + name, 'required');
    return { name, key: `,${JSON.stringify(name)}:`, write };
  });
  return (stored: Fields, wrong: WrongValues): string => {
    let text = '';
    for (const { name, key, write } of members) {
      const json = write(stored[name] ?? NO_VALUE, wrong);
      if (json !== undefined) text += key + json;
    }
    return text;
  };
}

const NO_VALUE: Value = { nullValue: null };

function isNoValue({ nullValue, doubleValue }: Value): boolean {
  return nullValue === null || typeof doubleValue === 'string';
}

function readNumber({ integerValue, doubleValue }: Value): number | undefined {
  if (integerValue !== undefined) return Number(integerValue);
  return typeof doubleValue === 'number' ? doubleValue : undefined;
}

function writeNumber(value: Value): string | undefined {
  return JSON.stringify(readNumber(value));
}

function writeInteger(value: Value): string | undefined {
  const number = readNumber(value);
  return Number.isSafeInteger(number) ? JSON.stringify(number) : undefined;
}

function writeTime(value: Value): string | undefined {
  const millis = Math.round(millisOf(value) ?? NaN);
  return Number.isSafeInteger(millis) ? JSON.stringify(millis) : undefined;
}

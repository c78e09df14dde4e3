import { logger } from 'firebase-functions/logger';
import * as z from 'zod';
import { markChecked } from '../checkedLists.ts';
import { storedTime } from '../fields.ts';
import type { StoredDocument } from './documents.ts';
import { elementsOf, millisOf, toValue, type Value } from './values.ts';

/** The most wrong values that one warning lists. */
const MAX_EXAMPLES = 5;

/** Collects stored values of a wrong type. */
export class WrongValues {
  #count = 0;
  readonly #examples: { readonly document: string; readonly field: string }[] = [];

  add(document: string, field: string): void {
    this.#count += 1;
    if (this.#examples.length < MAX_EXAMPLES) this.#examples.push({ document, field });
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

/** Converts stored documents to what a schema describes. */
export interface DocumentReader<Output> {
  /** The fields of the schema, which a query needs to select. */
  readonly fields: readonly string[];
  /** Converts one document, and adds its wrong values to `wrong`. */
  read(document: StoredDocument, wrong: WrongValues): Output;
  /** Converts the documents of a list, and logs one warning for all wrong values. */
  readAll(documents: readonly StoredDocument[]): readonly Readonly<Output>[];
}

/**
 * Makes the reader for a wire schema. `id` is always the document's own. Fields that the schema does not name are left
 * out, and so are values of a wrong type: one bad document must not break a list. A stored null, NaN or infinity counts
 * as missing. All fields of the schema except `id` must be optional or have a default.
 *
 * It converts Firestore's JSON to the response in one pass. Decoding first and validating afterwards takes several
 * times as long.
 */
export function documentReader<Schema extends z.ZodObject>(
  schema: Schema,
): DocumentReader<z.output<Schema>> {
  const fields = Object.keys(schema.shape).filter((name) => name !== 'id');
  const readFields = objectReader(schema, '');

  function read(document: StoredDocument, wrong: WrongValues): z.output<Schema> {
    const value = readFields({ mapValue: { fields: document.fields } }, (field) => {
      wrong.add(document.path, field);
    });
    return { ...(value as object), id: document.id } as z.output<Schema>;
  }

  return {
    fields,
    read,
    readAll: (documents) => {
      const wrong = new WrongValues();
      const all = documents.map((document) => read(document, wrong));
      wrong.report();
      return markChecked(all, schema);
    },
  };
}

/** Reads one value; undefined if it is missing or wrong. Reports the field path of a wrong value to `onWrong`. */
type Reader = (value: Value, onWrong: (field: string) => void) => unknown;

/** The reader for a part of a schema. Throws for kinds of schema that no document uses yet: add them here. */
function reader(schema: unknown, path: string): Reader {
  if (schema instanceof z.ZodOptional) return reader(schema.unwrap(), path);
  if (schema instanceof z.ZodDefault) {
    const { defaultValue } = schema.def;
    const read = reader(schema.unwrap(), path);
    return (value, onWrong) => read(value, onWrong) ?? defaultValue;
  }
  if (schema instanceof z.ZodPrefault) {
    const prefault = toValue(schema.def.defaultValue);
    const read = reader(schema.unwrap(), path);
    return (value, onWrong) => read(value, onWrong) ?? read(prefault, onWrong);
  }
  if (schema instanceof z.ZodObject) return objectReader(schema, path);
  if (schema instanceof z.ZodArray) return arrayReader(schema, path);
  if (schema instanceof z.ZodEnum) {
    const allowed = new Set<unknown>(schema.options);
    return leaf(path, ({ stringValue }) => (allowed.has(stringValue) ? stringValue : undefined));
  }
  if (schema instanceof z.ZodString) return leaf(path, ({ stringValue }) => stringValue);
  if (schema instanceof z.ZodBoolean) return leaf(path, ({ booleanValue }) => booleanValue);
  if (schema === storedTime) return leaf(path, readTime);
  if (schema instanceof z.ZodNumberFormat) return leaf(path, readInteger);
  if (schema instanceof z.ZodNumber) return leaf(path, readNumber);
  throw new Error(`The kind of schema of ${path} is not supported.`);
}

function objectReader(schema: z.ZodObject, path: string): Reader {
  const members = Object.entries(schema.shape)
    .filter(([name]) => path !== '' || name !== 'id')
    .map(([name, member]) => ({
      name,
      read: reader(member, path === '' ? name : `${path}.${name}`),
    }));
  return leaf(path, ({ mapValue }, onWrong) => {
    if (mapValue === undefined) return undefined;
    const stored = mapValue.fields ?? {};
    const object: Record<string, unknown> = {};
    for (const { name, read } of members) {
      const value = read(stored[name] ?? NO_VALUE, onWrong);
      if (value !== undefined) object[name] = value;
    }
    return object;
  });
}

function arrayReader(schema: z.ZodArray, path: string): Reader {
  const read = reader(schema.element, `${path}[]`);
  return leaf(path, (value, onWrong) => {
    if (value.arrayValue === undefined) return undefined;
    return elementsOf(value)
      .map((element) => read(element, onWrong))
      .filter((element) => element !== undefined);
  });
}

const NO_VALUE: Value = { nullValue: null };

/** Reports any value that `read` does not accept, unless it counts as missing. */
function leaf(path: string, read: Reader): Reader {
  return (value, onWrong) => {
    const found = read(value, onWrong);
    if (found === undefined && !isNoValue(value)) onWrong(path);
    return found;
  };
}

function isNoValue({ nullValue, doubleValue }: Value): boolean {
  return nullValue === null || typeof doubleValue === 'string';
}

function readNumber({ integerValue, doubleValue }: Value): number | undefined {
  if (integerValue !== undefined) return Number(integerValue);
  return typeof doubleValue === 'number' ? doubleValue : undefined;
}

function readInteger(value: Value): number | undefined {
  const number = readNumber(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

function readTime(value: Value): number | undefined {
  const millis = millisOf(value);
  return millis && Math.round(millis);
}

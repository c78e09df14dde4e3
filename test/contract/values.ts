/** Validates values of requests, serializes stored values for responses, and encodes new values. Uses the schemas of the collections. */
import * as z from 'zod';
import { containsDocument, timeSchemas } from '@tattoo-marketplace/collections';
import { unwrapSchema } from '@tattoo-marketplace/endpoints';
import { isRestValue, type DocumentData } from '@tattoo-marketplace/firestore-embedded';
import { COLLECTIONS } from '../../functions/service.ts';

export type { DocumentData };
export type Schema = z.core.$ZodType;

export function isMap(value: unknown): value is DocumentData {
  return Object(value) === value && !Array.isArray(value) && !isRestValue(value);
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** Returns whether a value is an integer within these bounds. */
export function isWithin(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
}

/** Returns whether a value is an integer of milliseconds that JavaScript's `Date` supports: "Units of times". */
export function isTime(value: unknown): value is number {
  return isWithin(value, -8.64e15, 8.64e15);
}

/** Returns whether a value is a string of 1 to `max` characters. */
export function isText(value: unknown, max: number): value is string {
  const length = typeof value === 'string' && value.isWellFormed() ? Array.from(value).length : 0;
  return isWithin(length, 1, max);
}

/** Returns whether Firestore accepts a document id: 1 to 1500 bytes, no slash, not `.`, `..` or `__…__`. */
export function isId(value: unknown): value is string {
  if (!isText(value, 1500) || Buffer.byteLength(value) > 1500) return false;
  return !/\/|^\.\.?$|^__.*__$/s.test(value);
}

/** Returns whether a value is a list of ids of allowed length: "Sizes". `documentIds.ts` also limits their total bytes. */
export function isIdList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length >= 1 && value.length <= 500 && value.every(isId);
}

/** Finds the declared collection of a document: `flash/~f0`, `conversations/~c0/messages/~m0`. */
export function findCollection(path: string): { readonly schema: z.ZodObject } {
  const collection = COLLECTIONS.find((declared) => containsDocument(declared, path));
  if (collection === undefined) throw new Error(`No model declares the collection of ${path}.`);
  return collection;
}

/** Lists the fields of an object's schema. */
export function listObjectFields(type: Schema): [name: string, schema: Schema][] {
  return type instanceof z.ZodObject ? Object.entries<Schema>(type.shape) : [];
}

/** Serializes a stored value for a response: declared fields only, and undefined for a value of a wrong type. */
export function serialize(stored: unknown, schema: Schema): unknown {
  const type = unwrapSchema(schema);
  if (type instanceof z.ZodArray) {
    if (!Array.isArray(stored)) return undefined;
    return stored.map((item) => serialize(item, type.element)).filter((item) => item !== undefined);
  }
  if (type instanceof z.ZodObject) {
    if (!isMap(stored)) return undefined;
    const fields = listObjectFields(type).filter(([name, field]) => isStored(stored[name], field));
    return Object.fromEntries(
      fields.map(([name, field]) => [name, serialize(stored[name], field)]),
    );
  }
  if (isTimeSchema(type)) return readTime(stored);
  return z.safeParse(type, isRestValue(stored) ? readNumber(stored) : stored).data;
}

/** Returns whether a value, or any field of a map, is stored. Queries read field by field: a map without any of them is missing. */
function isStored(stored: unknown, schema: Schema): boolean {
  const type = unwrapSchema(schema);
  if (!(type instanceof z.ZodObject)) return stored !== undefined;
  return (
    isMap(stored) && listObjectFields(type).some(([name, field]) => isStored(stored[name], field))
  );
}

/** Reads a finite number; undefined for other values. */
export function readNumber(stored: unknown): number | undefined {
  const isTyped = isRestValue(stored);
  const number = isTyped ? (stored.doubleValue ?? Number(stored.integerValue)) : stored;
  return isNumber(number) ? number : undefined;
}

/** Reads a time in milliseconds, rounded: "Units of times"; undefined for other values. */
export function readTime(stored: unknown): number | undefined {
  if (isRestValue(stored) && 'timestampValue' in stored) return Date.parse(stored.timestampValue);
  const number = readNumber(stored);
  return number === undefined || Math.abs(number) > 8.64e15 ? undefined : Math.round(number);
}

export function isTimestamp(stored: unknown): boolean {
  return isRestValue(stored) && 'timestampValue' in stored;
}

export function isTimeSchema(schema: Schema | undefined): boolean {
  return schema !== undefined && timeSchemas.get(unwrapSchema(schema)) !== undefined;
}

/** Lists the stored times of a document, except in lists. */
function listTimes(stored: unknown, schema: Schema): unknown[] {
  const type = unwrapSchema(schema);
  if (isTimeSchema(type)) return readTime(stored) === undefined ? [] : [stored];
  if (!isMap(stored)) return [];
  return listObjectFields(type).flatMap(([name, field]) => listTimes(stored[name], field));
}

/**
 * Encodes new values for fields of a document. A time keeps the format of the stored time that it replaces. If it replaces none, it
 * is a `Timestamp` if the document has other times and all of them are; otherwise a number.
 */
export function encodeChangedFields(fields: DocumentData, stored: DocumentData, path: string) {
  const { schema } = findCollection(path);
  const formats = listTimes(stored, schema).map(isTimestamp);
  const areTimestamps = formats.length > 0 && !formats.includes(false);
  const types = new Map(listObjectFields(schema));
  const values = Object.entries(fields).map(([name, value]) => {
    if (!isNumber(value) || !isTimeSchema(types.get(name))) return [name, value];
    const replaced = stored[name];
    const asTimestamp = readTime(replaced) === undefined ? areTimestamps : isTimestamp(replaced);
    return [name, encodeTime(value, asTimestamp)];
  });
  return Object.fromEntries(values) as DocumentData;
}

/** Encodes a time. Outside the years 1 to 9999 it is always a number: "Units of times". */
function encodeTime(ms: number, asTimestamp: boolean): unknown {
  const date = new Date(ms).toISOString();
  if (!asTimestamp || !/^\d{4}-/.test(date) || date.startsWith('0000-')) return ms;
  return { timestampValue: date.replace('.000Z', 'Z') };
}

/** Valid values of requests, and stored values in responses. Their names and types are those of the collections. */
import * as z from 'zod';
import { containsDocument, timeSchemas } from '@tattoo-marketplace/collections';
import { unwrapSchema } from '@tattoo-marketplace/endpoints';
import { isTypedValue, type DocumentData } from '@tattoo-marketplace/firestore-embedded';
import { COLLECTIONS } from '../../functions/service.ts';

export type { DocumentData };

export function isMap(value: unknown): value is DocumentData {
  return Object(value) === value && !Array.isArray(value) && !isTypedValue(value);
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** Returns whether a value is an integer within these bounds. */
export function isWithin(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
}

/** A whole number of milliseconds that JavaScript's `Date` supports: "Units of times". */
export function isTime(value: unknown): value is number {
  return isWithin(value, -8.64e15, 8.64e15);
}

/** A text of 1 to so many characters. */
export function isText(value: unknown, max: number): value is string {
  const length = typeof value === 'string' && value.isWellFormed() ? Array.from(value).length : 0;
  return isWithin(length, 1, max);
}

/** A document id, by Firestore's own rule: 1 to 1500 bytes, no slash, not `.`, `..` or `__…__`. */
export function isId(value: unknown): value is string {
  if (!isText(value, 1500) || Buffer.byteLength(value) > 1500) return false;
  return !/\/|^\.\.?$|^__.*__$/s.test(value);
}

/** "Sizes". There is also a limit of all their bytes, in `documentIds.ts`. */
export function isIdList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length >= 1 && value.length <= 500 && value.every(isId);
}

/** The declared collection of a document: `flash/~f0`, `conversations/~c0/messages/~m0`. */
export function findCollection(path: string): { schema: z.ZodObject; storesTimestamps?: boolean } {
  const collection = COLLECTIONS.find((each) => containsDocument(each, path));
  if (collection === undefined) throw new Error(`No model declares the collection of ${path}.`);
  return collection;
}

/** The fields of an object's schema. */
export function listFields(type: z.core.$ZodType): [name: string, schema: z.core.$ZodType][] {
  return type instanceof z.ZodObject ? Object.entries<z.core.$ZodType>(type.shape) : [];
}

/** A stored value in a response: declared fields only, and undefined for a value of a wrong type. */
export function serialize(stored: unknown, schema: z.core.$ZodType): unknown {
  const type = unwrapSchema(schema);
  if (type instanceof z.ZodArray) {
    if (!Array.isArray(stored)) return undefined;
    return stored.map((item) => serialize(item, type.element)).filter((item) => item !== undefined);
  }
  if (type instanceof z.ZodObject) {
    if (!isMap(stored)) return undefined;
    const members = listFields(type).filter(([name, member]) => isStored(stored[name], member));
    const fields = members.map(([name, member]) => [name, serialize(stored[name], member)]);
    return Object.fromEntries(fields);
  }
  if (isTimeSchema(type)) return readTime(stored);
  return z.safeParse(type, isTypedValue(stored) ? readNumber(stored) : stored).data;
}

/** Returns whether a value, or any field of a map, is stored. Queries read field by field: a map without any of them is missing. */
function isStored(stored: unknown, schema: z.core.$ZodType): boolean {
  const type = unwrapSchema(schema);
  if (!(type instanceof z.ZodObject)) return stored !== undefined;
  return isMap(stored) && listFields(type).some(([name, member]) => isStored(stored[name], member));
}

/** A finite number. */
export function readNumber(stored: unknown): number | undefined {
  const isTyped = isTypedValue(stored);
  const number = isTyped ? (stored.doubleValue ?? Number(stored.integerValue)) : stored;
  return isNumber(number) ? number : undefined;
}

/** A time in whole milliseconds that JavaScript's `Date` supports: "Units of times". */
export function readTime(stored: unknown): number | undefined {
  if (isTypedValue(stored) && 'timestampValue' in stored) return Date.parse(stored.timestampValue);
  const number = readNumber(stored);
  return number === undefined || Math.abs(number) > 8.64e15 ? undefined : Math.round(number);
}

export function isTimestamp(stored: unknown): boolean {
  return isTypedValue(stored) && 'timestampValue' in stored;
}

export function isTimeSchema(schema: z.core.$ZodType | undefined): boolean {
  return schema !== undefined && timeSchemas.get(unwrapSchema(schema)) !== undefined;
}

/** All stored times of a document, except in lists. */
function listTimes(stored: unknown, schema: z.core.$ZodType): unknown[] {
  const type = unwrapSchema(schema);
  if (isTimeSchema(type)) return readTime(stored) === undefined ? [] : [stored];
  if (!isMap(stored)) return [];
  return listFields(type).flatMap(([name, member]) => listTimes(stored[name], member));
}

/**
 * New values for fields of a document, as they are stored. A time has the format of the time that it replaces. If it replaces
 * none, it is a `Timestamp` if all others are, or if there is none and its collection says so; otherwise a number.
 */
export function encodeFields(
  fields: DocumentData,
  stored: DocumentData,
  path: string,
): DocumentData {
  const { schema, storesTimestamps = false } = findCollection(path);
  const formats = listTimes(stored, schema).map(isTimestamp);
  const fallback = formats.length === 0 ? storesTimestamps : !formats.includes(false);
  const types = new Map(listFields(schema));
  const values = Object.entries(fields).map(([name, value]) => {
    if (!isNumber(value) || !isTimeSchema(types.get(name))) return [name, value];
    const old = stored[name];
    return [name, encodeTime(value, readTime(old) === undefined ? fallback : isTimestamp(old))];
  });
  return Object.fromEntries(values) as DocumentData;
}

/** "Units of times": outside the years 1 to 9999 a time is always a number. */
function encodeTime(ms: number, asTimestamp: boolean): unknown {
  const text = new Date(ms).toISOString();
  const isTimestamp = asTimestamp && /^\d{4}-/.test(text) && !text.startsWith('0000-');
  return isTimestamp ? { timestampValue: text.replace('.000Z', 'Z') } : ms;
}

/** Stored values, and what of them leaves the service. Names and kinds of fields are those that the models declare. */
import * as z from 'zod';
import { COLLECTIONS } from '../../functions/service.ts';
import { isTypedValue, type DocumentData } from '@tattoo-marketplace/firestore-embedded';
import { containsDocument, timeSchemas } from '@tattoo-marketplace/collections';
import { unwrapSchema } from '@tattoo-marketplace/endpoints';

export { isTypedValue, type DocumentData };

export function isMap(value: unknown): value is DocumentData {
  return isObject(value) && !Array.isArray(value) && !isTypedValue(value);
}

export function isObject(value: unknown): value is DocumentData {
  return typeof value === 'object' && value !== null;
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** What is declared of a document with this path: `flash/~f0`, `conversations/~c0/messages/~m0`. */
export function declared(path: string): { schema: z.ZodObject; storesTimestamps?: boolean } {
  const found = COLLECTIONS.find((each) => containsDocument(each, path));
  if (found === undefined) throw new Error(`No model declares the collection of ${path}.`);
  return found;
}

/** Its fields. */
export function schemaOf(path: string): z.ZodObject {
  return declared(path).schema;
}

/** What leaves of a stored value of this schema: its fields and no others, without values of a wrong kind, which are undefined. */
export function leaving(stored: unknown, schema: z.core.$ZodType): unknown {
  const type = unwrapSchema(schema);
  if (type instanceof z.ZodArray) {
    if (!Array.isArray(stored)) return undefined;
    return stored.map((each) => leaving(each, type.element)).filter((each) => each !== undefined);
  }
  if (type instanceof z.ZodObject) {
    if (!isMap(stored)) return undefined;
    const members = Object.entries<z.core.$ZodType>(type.shape)
      .filter(([name, member]) => isStored(stored[name], member))
      .map(([name, member]) => [name, leaving(stored[name], member)] as const);
    return Object.fromEntries(members.filter(([, member]) => member !== undefined));
  }
  if (timeSchemas.has(type)) return timeOf(stored);
  return z.safeParse(type, isTypedValue(stored) ? numberOf(stored) : stored).data;
}

/** Whether a value, or any field of a map, is stored. Fields are read one by one: a map without any of them is missing. */
function isStored(stored: unknown, schema: z.core.$ZodType): boolean {
  const type = unwrapSchema(schema);
  if (!(type instanceof z.ZodObject)) return stored !== undefined;
  return (
    isMap(stored) &&
    Object.entries<z.core.$ZodType>(type.shape).some(([name, each]) => isStored(stored[name], each))
  );
}

/** A finite number. */
export function numberOf(stored: unknown): number | undefined {
  const number = isTypedValue(stored)
    ? (stored.doubleValue ?? Number(stored.integerValue))
    : stored;
  return isNumber(number) ? number : undefined;
}

/** A time in whole milliseconds that JavaScript's `Date` supports: "Units of times" in docs/decisions.md. */
export function timeOf(stored: unknown): number | undefined {
  if (isTypedValue(stored) && 'timestampValue' in stored) return Date.parse(stored.timestampValue);
  const number = numberOf(stored);
  return number === undefined || Math.abs(number) > 8.64e15 ? undefined : Math.round(number);
}

/** Whether a field has a time. */
export function isTimeField(schema: z.ZodObject, name: string): boolean {
  const type = (schema.shape as z.core.$ZodShape)[name];
  return type !== undefined && timeSchemas.has(unwrapSchema(type));
}

/** All stored times of a document, except in lists. */
export function timesIn(stored: unknown, schema: z.core.$ZodType): unknown[] {
  const type = unwrapSchema(schema);
  if (timeSchemas.has(type)) return timeOf(stored) === undefined ? [] : [stored];
  if (!isMap(stored) || !(type instanceof z.ZodObject)) return [];
  return Object.entries<z.core.$ZodType>(type.shape).flatMap(([name, member]) =>
    timesIn(stored[name], member),
  );
}

export function isTimestamp(stored: unknown): boolean {
  return isTypedValue(stored) && 'timestampValue' in stored;
}

/**
 * A time as it is stored. "Units of times" in docs/decisions.md: a `Timestamp` has whole microseconds, within the years that it
 * knows; all else is a number.
 */
export function storedTime(ms: number, asTimestamp: boolean): unknown {
  const second = Math.floor(ms / 1000);
  const date = new Date(second * 1000).toISOString();
  const isKnown = /^\d{4}-/.test(date) && !date.startsWith('0000-');
  // -0 is 0.
  if (!asTimestamp || !isKnown) return ms + 0;
  const micros = Math.min(999_999, Math.floor((ms - second * 1000) * 1000));
  const digits = String(micros)
    .padStart(6, '0')
    .replace(/(000){1,2}$/, '');
  return { timestampValue: `${date.slice(0, 19)}${digits && '.'}${digits}Z` };
}

/** What decides the place of a value in a list: Firestore sorts by kind first. */
export function sortKey(value: unknown): [kind: number, key: number | string] {
  if (value === null || value === undefined) return [0, 0];
  if (typeof value === 'boolean') return [1, Number(value)];
  if (typeof value === 'string') return [4, value];
  if (isTimestamp(value)) return [3, timeOf(value) ?? 0];
  return [2, numberOf(value) ?? -Infinity];
}

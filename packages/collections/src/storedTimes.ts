/** The kinds in which times are stored: numbers, or the `Timestamp`s of other writers. */
import * as z from 'zod';
import { decodeTime, timeSchemas } from './times.ts';
import { unwrapSchema } from '@tattoo-marketplace/endpoints';
import {
  decodePrimitive,
  millisToTimestamp,
  encodeValue,
  getFieldValue,
  type FieldChanges,
  type Fields,
  type Value,
} from '@tattoo-marketplace/firestore-rest';

/** The times of a collection. */
export interface TimeFields {
  /** The paths of its times. */
  readonly timeFields: readonly string[];
  /**
   * Whether new documents store times as `Timestamp`s, like the collection's other writers.
   * Default: numbers.
   */
  readonly storesTimestamps?: true;
}

/** The paths of the times in a document, except in lists: `updatedAt`, `sourceData.urlRefreshedAt`. */
export function findTimeFields({ shape }: z.ZodObject, map = ''): string[] {
  return Object.entries<z.core.$ZodType>(shape).flatMap(([name, member]) => {
    const type = unwrapSchema(member);
    if (timeSchemas.get(type)) return [map + name];
    return type instanceof z.ZodObject ? findTimeFields(type, `${map}${name}.`) : [];
  });
}

/** Changes as Firestore stores them; a field that is undefined is removed. */
export function encodeChanges(changes: Readonly<Record<string, unknown>>): FieldChanges {
  return Object.fromEntries(
    Object.entries(changes).map(([field, value]) => [
      field,
      value === undefined ? undefined : encodeValue(value),
    ]),
  );
}

/**
 * Encodes the times in a change in the format that the document already uses, because other apps
 * call `toDate()` on their `Timestamp`s, and Firestore sorts numbers before `Timestamp`s. A time
 * keeps the format of the value it replaces. A new time is a `Timestamp` if all other times in the
 * document are, otherwise a number. A document without times uses its collection's format.
 */
export function preserveTimeFormats(
  changes: FieldChanges,
  stored: Fields,
  { timeFields: timePaths, storesTimestamps }: TimeFields,
): FieldChanges {
  const isTimestamp = (path: string) => {
    const value = getFieldValue(stored, path) ?? {};
    return decodeTime(value) === undefined ? undefined : value.timestampValue !== undefined;
  };
  const formats = new Set(timePaths.map(isTimestamp).filter((kind) => kind !== undefined));
  const othersAreTimestamps = formats.size === 0 ? storesTimestamps === true : !formats.has(false);
  const result: Record<string, Value | undefined> = { ...changes };
  for (const field of timePaths) {
    const time = decodePrimitive(changes[field]);
    if (typeof time !== 'number' || !(isTimestamp(field) ?? othersAreTimestamps)) continue;
    result[field] = millisToTimestamp(time) ?? changes[field];
  }
  return result;
}

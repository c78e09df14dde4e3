/** The formats of stored times: numbers, or `Timestamp`s, which other writers may store. */
import * as z from 'zod';
import { unwrapSchema } from '@tattoo-marketplace/endpoints';
import {
  decodePrimitive,
  millisToTimestamp,
  getFieldValue,
  type FieldChanges,
  type Fields,
  type Value,
} from '@tattoo-marketplace/firestore-rest';
import { decodeTime, timeSchemas } from './times.ts';

/** Finds the paths of time fields outside of lists: `updatedAt`, `sourceData.urlRefreshedAt`. */
export function findTimeFields({ shape }: z.ZodObject, parent = ''): string[] {
  return Object.entries<z.core.$ZodType>(shape).flatMap(([name, field]) => {
    const type = unwrapSchema(field);
    if (timeSchemas.get(type)) return [parent + name];
    return type instanceof z.ZodObject ? findTimeFields(type, `${parent}${name}.`) : [];
  });
}

type TimeFormat = 'number' | 'timestamp';

/**
 * Encodes the times in a change in the format that the document already uses, because other apps
 * call `toDate()` on their `Timestamp`s, and Firestore sorts numbers before `Timestamp`s. A time
 * keeps the format of the value it replaces. A new time is a `Timestamp` if the document has other
 * times and all of them are, otherwise a number. `timeFields` are the paths of the time fields.
 */
export function preserveTimeFormats(
  changes: FieldChanges,
  stored: Fields,
  timeFields: readonly string[],
): FieldChanges {
  const storedFormats = timeFields
    .map((path) => getTimeFormat(getFieldValue(stored, path)))
    .filter((format) => format !== undefined);
  const newTimeFormat = findCommonFormat(storedFormats);
  const encoded: Record<string, Value | undefined> = { ...changes };
  for (const path of timeFields) {
    const millis = decodePrimitive(changes[path]);
    const format = getTimeFormat(getFieldValue(stored, path)) ?? newTimeFormat;
    if (typeof millis !== 'number' || format === 'number') continue;
    // A Timestamp cannot express a time beyond the years 1 to 9999: it stays a number.
    encoded[path] = millisToTimestamp(millis) ?? changes[path];
  }
  return encoded;
}

/** Returns the format of a stored time; undefined if the value is not a time. */
function getTimeFormat(value: Value | undefined): TimeFormat | undefined {
  if (value === undefined || decodeTime(value) === undefined) return undefined;
  return value.timestampValue === undefined ? 'number' : 'timestamp';
}

/** Returns `timestamp` if there are formats and all are `timestamp`, otherwise `number`. */
function findCommonFormat(formats: readonly TimeFormat[]): TimeFormat {
  const areTimestamps = formats.length > 0 && formats.every((format) => format === 'timestamp');
  return areTimestamps ? 'timestamp' : 'number';
}

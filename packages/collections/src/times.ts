/** Times in requests, responses and stored documents. */
import * as z from 'zod';
import { INT64_JSON_SCHEMA } from '@tattoo-marketplace/endpoints';
import { valueToMillis, type Value } from '@tattoo-marketplace/firestore-rest';

/**
 * The largest time that JavaScript's `Date` supports, in ms from the epoch
 * (https://tc39.es/ecma262/#sec-time-values-and-time-range).
 */
export const MAX_TIME = 8.64e15;

const TIME_ERROR_MESSAGE =
  'must be a time: an integer number of milliseconds since the Unix epoch, UTC';

/** The schemas of times. A registry also contains the schemas derived from them, such as `storedTime.describe(…)`. */
export const timeSchemas = z.registry<{ readonly isTime: true }>();

/** A time in a request: an integer number of milliseconds since the Unix epoch, UTC. */
export const requestTime = z
  .int({ error: ({ input }) => (input === undefined ? 'is required' : TIME_ERROR_MESSAGE) })
  .min(-MAX_TIME, TIME_ERROR_MESSAGE)
  .max(MAX_TIME, TIME_ERROR_MESSAGE)
  .meta({ override: INT64_JSON_SCHEMA })
  .register(timeSchemas, { isTime: true });

/** An optional time in a request. `null` means not sent. */
export const optionalRequestTime = requestTime
  .nullish()
  .transform((time) => time ?? undefined)
  .register(timeSchemas, { isTime: true });

/**
 * A time in a stored document: milliseconds since the Unix epoch, UTC. A Firestore `Timestamp`, which other writers may
 * store, is converted.
 */
export const storedTime = z
  .number()
  .meta({ description: 'Milliseconds since the Unix epoch, UTC.', override: INT64_JSON_SCHEMA })
  .register(timeSchemas, { isTime: true });

/** Decodes a stored time as an integer number of milliseconds; undefined if the value is not a time. */
export function decodeTime(value: Value): number | undefined {
  const millis = Math.round(valueToMillis(value) ?? NaN);
  return Math.abs(millis) <= MAX_TIME ? millis : undefined;
}

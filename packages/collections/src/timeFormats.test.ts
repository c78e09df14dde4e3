import * as z from 'zod';
import { findTimeFields, encodeChanges, preserveTimeFormats } from './timeFormats.ts';
import { storedTime } from './storedTime.ts';
import type { Fields, Value } from '@tattoo-marketplace/firestore-rest';

const schema = z.object({
  id: z.string(),
  count: z.number().optional(),
  at: storedTime.describe('When.').optional(),
  made: storedTime.optional(),
  source: z.object({ read: storedTime.optional() }).optional(),
});
const TIMES = { timeFields: findTimeFields(schema) };
const AT = { timestampValue: '2030-01-15T12:00:00.123456Z' };
const MADE = { timestampValue: '2020-01-01T00:00:00Z' };
const NUMBER = { integerValue: '1' };
const TIMESTAMP = { timestampValue: '1970-01-01T00:00:00.001000Z' };
const inSource = (read: Value) => ({ source: { mapValue: { fields: { read } } } });

test.each<[string, Fields, number | undefined, Value | undefined]>([
  ['a Timestamp', { at: AT }, 1.5, { timestampValue: '1970-01-01T00:00:00.001500Z' }],
  ['a Timestamp beside a number', { at: AT, made: NUMBER }, 1, TIMESTAMP],
  ['a Timestamp, beyond its years', { at: AT }, 8.64e15, { integerValue: '8640000000000000' }],
  ['a Timestamp, without another time', { at: AT }, undefined, undefined],
  ['a number', { at: NUMBER, made: MADE }, 1.5, { doubleValue: 1.5 }],
  ['nothing', {}, 1, NUMBER],
  ['nothing beside a Timestamp', { made: MADE }, 1, TIMESTAMP],
  ['nothing beside a Timestamp in a map', inSource(MADE), 1, TIMESTAMP],
  ['nothing beside both kinds', { made: MADE, ...inSource(NUMBER) }, 1, NUMBER],
  ['null beside a Timestamp', { at: { nullValue: null }, made: MADE }, 1, TIMESTAMP],
  ['a text beside a Timestamp', { at: { stringValue: '2030' }, made: MADE }, 1, TIMESTAMP],
  ['a number that is no time', { at: { doubleValue: 9e15 }, made: MADE }, 1, TIMESTAMP],
])(
  'a time that replaces %s keeps its format, or that of the other times',
  (_what, stored, at, value) => {
    expect(preserveTimeFormats(encodeChanges({ at }), stored, TIMES)).toEqual({ at: value });
  },
);

test('where new documents have Timestamps, a time has the kind of the others, if there are any', () => {
  const times = { ...TIMES, storesTimestamps: true } as const;

  expect(preserveTimeFormats(encodeChanges({ at: 1 }), {}, times)).toEqual({ at: TIMESTAMP });
  expect(preserveTimeFormats(encodeChanges({ at: 1 }), { made: NUMBER }, times)).toEqual({
    at: NUMBER,
  });
});

test('does not change the format of fields that are not times', () => {
  expect(
    preserveTimeFormats(encodeChanges({ count: 1 }), { count: AT, made: MADE }, TIMES),
  ).toEqual({
    count: NUMBER,
  });
});

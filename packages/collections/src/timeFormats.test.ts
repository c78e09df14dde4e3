import * as z from 'zod';
import type { Fields, Value } from '@tattoo-marketplace/firestore-rest';
import { findTimeFields, encodeChanges, preserveTimeFormats } from './timeFormats.ts';
import { storedTime } from './storedTime.ts';

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

test.each<{ name: string; stored: Fields; at: number | undefined; value: Value | undefined }>([
  {
    name: 'a Timestamp',
    stored: { at: AT },
    at: 1.5,
    value: { timestampValue: '1970-01-01T00:00:00.001500Z' },
  },
  {
    name: 'a Timestamp beside a number',
    stored: { at: AT, made: NUMBER },
    at: 1,
    value: TIMESTAMP,
  },
  {
    name: 'a Timestamp, beyond its years',
    stored: { at: AT },
    at: 8.64e15,
    value: { integerValue: '8640000000000000' },
  },
  {
    name: 'a Timestamp, without another time',
    stored: { at: AT },
    at: undefined,
    value: undefined,
  },
  { name: 'a number', stored: { at: NUMBER, made: MADE }, at: 1.5, value: { doubleValue: 1.5 } },
  { name: 'nothing', stored: {}, at: 1, value: NUMBER },
  { name: 'nothing beside a Timestamp', stored: { made: MADE }, at: 1, value: TIMESTAMP },
  { name: 'nothing beside a Timestamp in a map', stored: inSource(MADE), at: 1, value: TIMESTAMP },
  {
    name: 'nothing beside both kinds',
    stored: { made: MADE, ...inSource(NUMBER) },
    at: 1,
    value: NUMBER,
  },
  {
    name: 'null beside a Timestamp',
    stored: { at: { nullValue: null }, made: MADE },
    at: 1,
    value: TIMESTAMP,
  },
  {
    name: 'a text beside a Timestamp',
    stored: { at: { stringValue: '2030' }, made: MADE },
    at: 1,
    value: TIMESTAMP,
  },
  {
    name: 'a number that is no time',
    stored: { at: { doubleValue: 9e15 }, made: MADE },
    at: 1,
    value: TIMESTAMP,
  },
])(
  'a time that replaces $name keeps its format, or that of the other times',
  ({ stored, at, value }) => {
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

import * as z from 'zod';
import type { Fields, Value } from '@tattoo-marketplace/firestore-rest';
import { encodeChanges } from './encodeChanges.ts';
import { findTimeFields, preserveTimeFormats } from './timeFormats.ts';
import { storedTime } from './times.ts';

const schema = z.object({
  id: z.string(),
  count: z.number().optional(),
  at: storedTime.describe('When.').optional(),
  made: storedTime.optional(),
  source: z.object({ read: storedTime.optional() }).optional(),
});
const TIME_FIELDS = findTimeFields(schema);
const AT = { timestampValue: '2030-01-15T12:00:00.123456Z' };
const MADE = { timestampValue: '2020-01-01T00:00:00Z' };
const NUMBER = { integerValue: '1' };
const TIMESTAMP = { timestampValue: '1970-01-01T00:00:00.001000Z' };
const createSource = (read: Value) => ({ source: { mapValue: { fields: { read } } } });

test.each<{ name: string; stored: Fields; at: number | undefined; value: Value | undefined }>([
  {
    name: 'replaces a Timestamp is a Timestamp',
    stored: { at: AT },
    at: 1.5,
    value: { timestampValue: '1970-01-01T00:00:00.001500Z' },
  },
  {
    name: 'replaces a Timestamp beside a number is a Timestamp',
    stored: { at: AT, made: NUMBER },
    at: 1,
    value: TIMESTAMP,
  },
  {
    name: 'replaces a Timestamp, but is after the year 9999, is a number',
    stored: { at: AT },
    at: 8.64e15,
    value: { integerValue: '8640000000000000' },
  },
  {
    name: 'is removed is undefined',
    stored: { at: AT },
    at: undefined,
    value: undefined,
  },
  {
    name: 'replaces a number beside a Timestamp is a number',
    stored: { at: NUMBER, made: MADE },
    at: 1.5,
    value: { doubleValue: 1.5 },
  },
  { name: 'is the only one is a number', stored: {}, at: 1, value: NUMBER },
  {
    name: 'is new beside a Timestamp is a Timestamp',
    stored: { made: MADE },
    at: 1,
    value: TIMESTAMP,
  },
  {
    name: 'is new beside a Timestamp in a map is a Timestamp',
    stored: createSource(MADE),
    at: 1,
    value: TIMESTAMP,
  },
  {
    name: 'is new beside a Timestamp and a number is a number',
    stored: { made: MADE, ...createSource(NUMBER) },
    at: 1,
    value: NUMBER,
  },
  {
    name: 'replaces null beside a Timestamp is a Timestamp',
    stored: { at: { nullValue: null }, made: MADE },
    at: 1,
    value: TIMESTAMP,
  },
  {
    name: 'replaces a string beside a Timestamp is a Timestamp',
    stored: { at: { stringValue: '2030' }, made: MADE },
    at: 1,
    value: TIMESTAMP,
  },
  {
    name: 'replaces a number that is not a time, beside a Timestamp, is a Timestamp',
    stored: { at: { doubleValue: 9e15 }, made: MADE },
    at: 1,
    value: TIMESTAMP,
  },
])('a time that $name', ({ stored, at, value }) => {
  expect(preserveTimeFormats(encodeChanges({ at }), stored, TIME_FIELDS)).toEqual({ at: value });
});

test('does not change the format of fields that are not times', () => {
  expect(
    preserveTimeFormats(encodeChanges({ count: 1 }), { count: AT, made: MADE }, TIME_FIELDS),
  ).toEqual({
    count: NUMBER,
  });
});

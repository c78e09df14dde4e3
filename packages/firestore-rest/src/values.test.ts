/** Conversions to and from Firestore's JSON. test/contract checks that fields which are not changed keep their stored values. */
import {
  decodePrimitive,
  encodeValue,
  getArrayElements,
  getFieldValue,
  millisToTimestamp,
  valueToMillis,
  type Value,
} from './values.ts';

test.each<{ name: string; value: unknown; json: Value }>([
  { name: 'null', value: null, json: { nullValue: null } },
  { name: 'a boolean', value: true, json: { booleanValue: true } },
  { name: 'a string', value: 'ü', json: { stringValue: 'ü' } },
  { name: 'a negative integer', value: -5, json: { integerValue: '-5' } },
  {
    name: 'the largest safe integer',
    value: 2 ** 53 - 1,
    json: { integerValue: '9007199254740991' },
  },
  { name: 'a larger integer', value: 2 ** 53, json: { doubleValue: 2 ** 53 } },
  { name: 'a fraction', value: 0.5, json: { doubleValue: 0.5 } },
  { name: 'NaN', value: NaN, json: { doubleValue: 'NaN' } },
  { name: '-Infinity', value: -Infinity, json: { doubleValue: '-Infinity' } },
  {
    name: 'an array',
    value: ['a', []],
    json: { arrayValue: { values: [{ stringValue: 'a' }, { arrayValue: { values: [] } }] } },
  },
  {
    name: 'a map whose field name has a dot',
    value: { 'a.b': {} },
    json: { mapValue: { fields: { 'a.b': { mapValue: { fields: {} } } } } },
  },
])('encodeValue encodes $name, and decodePrimitive decodes it unless it is an object', (row) => {
  const { value, json } = row;

  expect(encodeValue(value)).toEqual(json);
  expect(decodePrimitive(json)).toEqual(typeof value === 'object' ? undefined : value);
});

test('encodeValue encodes -0 as 0, like Firestore', () => {
  expect(encodeValue(-0)).toEqual({ integerValue: '0' });
});

test.each([
  { name: 'undefined', value: undefined },
  { name: 'a function', value: () => 0 },
  { name: 'a symbol', value: Symbol('x') },
])('encodeValue throws for $name', ({ value }) => {
  expect(() => encodeValue(value)).toThrow(TypeError);
});

test.each<{ value: Value; millis: number | undefined }>([
  { value: { integerValue: '5' }, millis: 5 },
  { value: { doubleValue: 0.5 }, millis: 0.5 },
  { value: { doubleValue: 'NaN' }, millis: undefined },
  { value: { stringValue: '5' }, millis: undefined },
  { value: { timestampValue: '1970-01-01T00:00:01Z' }, millis: 1000 },
  { value: { timestampValue: '1970-01-01T00:00:00.001Z' }, millis: 1 },
  { value: { timestampValue: '1969-12-31T23:59:59.998999Z' }, millis: -2 },
  { value: { timestampValue: '9999-12-31T23:59:59.999999999Z' }, millis: 253_402_300_799_999 },
])('valueToMillis converts $value to $millis', ({ value, millis }) => {
  expect(valueToMillis(value)).toBe(millis);
});

test('getFieldValue returns the value at a path, and undefined for a missing field', () => {
  const size = { mapValue: { fields: { unit: { stringValue: 'in' } } } };

  expect(getFieldValue({ size }, 'size.unit')).toEqual({ stringValue: 'in' });
  expect(getFieldValue({ size }, 'price.amount')).toBeUndefined();
});

test('getArrayElements returns the elements of an array, and none for other values', () => {
  const element = { stringValue: 'in' };

  expect(getArrayElements({ arrayValue: { values: [element] } })).toEqual([element]);
  expect(getArrayElements(element)).toEqual([]);
});

test.each([
  { millis: 1_768_478_400_000, timestamp: '2026-01-15T12:00:00Z' },
  { millis: 1_768_478_400_000.001, timestamp: '2026-01-15T12:00:00Z' },
  { millis: 1_768_478_400_000.51, timestamp: '2026-01-15T12:00:00.00051Z' },
  { millis: 0.0045, timestamp: '1970-01-01T00:00:00.000004Z' },
  { millis: -0.5, timestamp: '1969-12-31T23:59:59.9995Z' },
  { millis: -1e-20, timestamp: '1969-12-31T23:59:59.999999Z' },
  { millis: -62_135_596_800_000, timestamp: '0001-01-01T00:00:00Z' },
  { millis: 253_402_300_799_999.97, timestamp: '9999-12-31T23:59:59.999968Z' },
  { millis: -62_135_596_800_000.01, timestamp: undefined },
  { millis: 253_402_300_800_000, timestamp: undefined },
  { millis: 8.64e15, timestamp: undefined },
])('millisToTimestamp rounds $millis down to microseconds: $timestamp', ({ millis, timestamp }) => {
  const { timestampValue } = millisToTimestamp(millis) ?? {};

  expect(timestampValue?.replace(/\.?0*Z$/, 'Z')).toBe(timestamp);
});

/** Conversion to and from Firestore's JSON. test/contract has that what is not changed stays as it was stored. */
import {
  getArrayElements,
  decodePrimitive,
  valueToMillis,
  millisToTimestamp,
  encodeValue,
  getFieldValue,
} from './values.ts';
import type { Value } from './values.ts';

test.each<[unknown, Value]>([
  [null, { nullValue: null }],
  [true, { booleanValue: true }],
  ['ü', { stringValue: 'ü' }],
  [-5, { integerValue: '-5' }],
  [2 ** 53 - 1, { integerValue: '9007199254740991' }],
  [2 ** 53, { doubleValue: 2 ** 53 }],
  [0.5, { doubleValue: 0.5 }],
  [NaN, { doubleValue: 'NaN' }],
  [-Infinity, { doubleValue: '-Infinity' }],
  [['a', []], { arrayValue: { values: [{ stringValue: 'a' }, { arrayValue: { values: [] } }] } }],
  [{ 'a.b': {} }, { mapValue: { fields: { 'a.b': { mapValue: { fields: {} } } } } }],
])('%j has one form in Firestore’s JSON, from which simple values are read', (value, json) => {
  expect(encodeValue(value)).toEqual(json);
  expect(decodePrimitive(json)).toEqual(typeof value === 'object' ? undefined : value);
});

test('a negative 0 is stored as 0, as Firestore does', () => {
  expect(encodeValue(-0)).toEqual({ integerValue: '0' });
});

test.each([undefined, () => 0, Symbol('x')])('%p cannot be stored', (unstorable) => {
  expect(() => encodeValue(unstorable)).toThrow(TypeError);
});

test.each<[Value, number | undefined]>([
  [{ integerValue: '5' }, 5],
  [{ doubleValue: 0.5 }, 0.5],
  [{ doubleValue: 'NaN' }, undefined],
  [{ stringValue: '5' }, undefined],
  [{ timestampValue: '1970-01-01T00:00:01Z' }, 1000],
  [{ timestampValue: '1970-01-01T00:00:00.001Z' }, 1],
  [{ timestampValue: '1969-12-31T23:59:59.998999Z' }, -2],
  [{ timestampValue: '9999-12-31T23:59:59.999999999Z' }, 253_402_300_799_999],
])('%j is the time %p', (value, millis) => {
  expect(valueToMillis(value)).toBe(millis);
});

test('a value is found at its path, and the elements of an array', () => {
  const size = { mapValue: { fields: { unit: { stringValue: 'in' } } } };
  const list = { arrayValue: { values: [size] } };

  expect(getFieldValue({ size }, 'size.unit')).toEqual({ stringValue: 'in' });
  expect(getFieldValue({ size }, 'price.amount')).toBeUndefined();
  expect(getArrayElements(list)).toEqual([size]);
  expect(getArrayElements(size)).toEqual([]);
});

test.each([
  [1_768_478_400_000, '2026-01-15T12:00:00Z'],
  [1_768_478_400_000.001, '2026-01-15T12:00:00Z'],
  [1_768_478_400_000.51, '2026-01-15T12:00:00.00051Z'],
  [0.0045, '1970-01-01T00:00:00.000004Z'],
  [-0.5, '1969-12-31T23:59:59.9995Z'],
  [-1e-20, '1969-12-31T23:59:59.999999Z'],
  [-62_135_596_800_000, '0001-01-01T00:00:00Z'],
  [253_402_300_799_999.97, '9999-12-31T23:59:59.999968Z'],
  [-62_135_596_800_000.01, undefined],
  [253_402_300_800_000, undefined],
  [8.64e15, undefined],
])('%p ms is a timestamp of whole microseconds, rounded down: %p', (millis, timestampValue) => {
  const timestamp = millisToTimestamp(millis)?.timestampValue;

  expect(timestamp?.replace(/\.?0*Z$/, 'Z')).toBe(timestampValue);
});

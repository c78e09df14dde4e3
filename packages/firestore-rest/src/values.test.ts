/** Conversion to and from Firestore's JSON. test/contract has that what is not changed stays as it was stored. */
import fc from 'fast-check';
import { fromValue, isEqual, millisOf, toValue } from './values.ts';
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
  expect(toValue(value)).toEqual(json);
  expect(fromValue(json)).toEqual(typeof value === 'object' ? undefined : value);
});

test('a negative 0 is stored as 0, as Firestore does', () => {
  expect(toValue(-0)).toEqual({ integerValue: '0' });
});

test.each([undefined, () => 0, Symbol('x')])('%p cannot be stored', (unstorable) => {
  expect(() => toValue(unstorable)).toThrow(TypeError);
});

/** Firestore's JSON without what it leaves out: the content of empty lists and maps. */
function asReturned({ arrayValue, mapValue, ...simple }: Value): Value {
  const [values = [], fields = {}] = [arrayValue?.values, mapValue?.fields];
  const members = Object.entries(fields).map(([name, value]) => [name, asReturned(value)] as const);
  return {
    ...simple,
    ...(arrayValue && { arrayValue: values.length ? { values: values.map(asReturned) } : {} }),
    ...(mapValue && { mapValue: members.length ? { fields: Object.fromEntries(members) } : {} }),
  };
}

test('a value equals itself as Firestore returns it, and no value that is different', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      expect(isEqual(asReturned(toValue(one)), toValue(one))).toBe(true);
      expect(isEqual(toValue([one, 1]), toValue([other, 2]))).toBe(false);
      expect(isEqual(toValue({ a: one }), toValue({ b: one }))).toBe(false);
    }),
  );
});

test('a time has whole milliseconds, rounded down', () => {
  const seconds = fc.integer({ min: -62_135_596_800, max: 253_402_300_799 });
  fc.assert(
    fc.property(seconds, fc.integer({ min: 0, max: 999_999 }), (second, micros) => {
      const whole = new Date(second * 1000).toISOString().slice(0, -5);
      const timestampValue = `${whole}.${String(micros).padStart(6, '0')}Z`;

      expect(millisOf({ timestampValue })).toBe(second * 1000 + Math.floor(micros / 1000));
    }),
  );
});

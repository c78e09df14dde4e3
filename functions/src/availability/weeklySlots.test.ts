import { MAX_WEEK_BYTES, MAX_WEEK_VALUES, findStorageProblem } from './weeklySlots.ts';

const BAD_NAME = 'must not have a field whose name is empty, reserved or too long';
const TOO_DEEP = 'must not be nested deeper than 20 levels';
const TOO_MANY = `must not have more than ${MAX_WEEK_VALUES} values`;
const TOO_LONG = `must not be longer than ${MAX_WEEK_BYTES} bytes`;

/** Lists and maps in turn, nested to a number of levels, around a value. */
function nested(levels: number, innermost: unknown = 'x'): object {
  let value = innermost;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? { a: value } : [value];
  return value as object;
}

/** A map with so many values: itself, a list, and what is in it. */
function ofValues(count: number): object {
  return { a: Array.from({ length: count - 2 }, () => ({})) };
}

/** A map whose JSON has a number of bytes. */
function ofBytes(bytes: number): object {
  return { a: 'x'.repeat(bytes - '{"a":""}'.length) };
}

test.each<[string, object]>([
  ['values of every kind', { a: null, b: true, c: 0, d: -1.5, e: '', f: 'ü🖋' }],
  ['unusual names', { 'a.b': 1, a__b__: 1, __b__c: 2, constructor: { prototype: 1 } }],
  ['names of 1500 bytes', { ['x'.repeat(1500)]: 1, ['ü'.repeat(750)]: 1 }],
  ['20 levels', nested(20)],
  ['null in 20 levels', nested(20, null)],
  ['as many values as allowed', ofValues(MAX_WEEK_VALUES)],
  ['as many bytes as allowed', ofBytes(MAX_WEEK_BYTES)],
])('%s can be stored', (_what, value) => {
  expect(findStorageProblem(value)).toBeUndefined();
});

test.each<[string, object, string]>([
  ['an unpaired surrogate', { a: ['x', '\udc00'] }, 'must be valid Unicode'],
  ['an empty name', { '': 1 }, BAD_NAME],
  ['a reserved name', { a: 1, b: { __b__: 1 } }, BAD_NAME],
  ['the name __proto__', JSON.parse('{"__proto__":1}') as object, BAD_NAME],
  ['a name of 1501 bytes', { ['x'.repeat(1501)]: 1 }, BAD_NAME],
  ['a name of 751 characters, 1502 bytes', { ['ü'.repeat(751)]: 1 }, BAD_NAME],
  ['infinity', { a: [Infinity] }, 'must be finite'],
  ['a name with an unpaired surrogate', { '\ud800': 1 }, BAD_NAME],
  ['21 levels', nested(21), TOO_DEEP],
  ['far more levels than a call stack has', nested(100_000), TOO_DEEP],
  ['one value too many', ofValues(MAX_WEEK_VALUES + 1), TOO_MANY],
  ['one byte too many', ofBytes(MAX_WEEK_BYTES + 1), TOO_LONG],
])('%s cannot be stored', (_what, value, reason) => {
  expect(findStorageProblem(value)).toBe(reason);
});

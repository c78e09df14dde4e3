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

test.each<{ name: string; value: object }>([
  { name: 'values of every kind', value: { a: null, b: true, c: 0, d: -1.5, e: '', f: 'ü🖋' } },
  {
    name: 'unusual names',
    value: { 'a.b': 1, a__b__: 1, __b__c: 2, constructor: { prototype: 1 } },
  },
  { name: 'names of 1500 bytes', value: { ['x'.repeat(1500)]: 1, ['ü'.repeat(750)]: 1 } },
  { name: '20 levels', value: nested(20) },
  { name: 'null in 20 levels', value: nested(20, null) },
  { name: 'as many values as allowed', value: ofValues(MAX_WEEK_VALUES) },
  { name: 'as many bytes as allowed', value: ofBytes(MAX_WEEK_BYTES) },
])('$name can be stored', ({ value }) => {
  expect(findStorageProblem(value)).toBeUndefined();
});

test.each<{ name: string; value: object; reason: string }>([
  { name: 'an unpaired surrogate', value: { a: ['x', '\udc00'] }, reason: 'must be valid Unicode' },
  { name: 'an empty name', value: { '': 1 }, reason: BAD_NAME },
  { name: 'a reserved name', value: { a: 1, b: { __b__: 1 } }, reason: BAD_NAME },
  { name: 'the name __proto__', value: JSON.parse('{"__proto__":1}') as object, reason: BAD_NAME },
  { name: 'a name of 1501 bytes', value: { ['x'.repeat(1501)]: 1 }, reason: BAD_NAME },
  {
    name: 'a name of 751 characters, 1502 bytes',
    value: { ['ü'.repeat(751)]: 1 },
    reason: BAD_NAME,
  },
  { name: 'infinity', value: { a: [Infinity] }, reason: 'must be finite' },
  { name: 'a name with an unpaired surrogate', value: { '\ud800': 1 }, reason: BAD_NAME },
  { name: '21 levels', value: nested(21), reason: TOO_DEEP },
  { name: 'far more levels than a call stack has', value: nested(100_000), reason: TOO_DEEP },
  { name: 'one value too many', value: ofValues(MAX_WEEK_VALUES + 1), reason: TOO_MANY },
  { name: 'one byte too many', value: ofBytes(MAX_WEEK_BYTES + 1), reason: TOO_LONG },
])('$name cannot be stored', ({ value, reason }) => {
  expect(findStorageProblem(value)).toBe(reason);
});

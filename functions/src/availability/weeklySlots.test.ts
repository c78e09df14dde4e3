import { MAX_WEEK_BYTES, MAX_WEEK_VALUES, findStorageProblem } from './weeklySlots.ts';

const INVALID_NAME = 'must not have a field whose name is empty, reserved or too long';
const TOO_DEEP = 'must not be nested deeper than 20 levels';
const TOO_MANY_VALUES = `must not have more than ${MAX_WEEK_VALUES} values`;
const TOO_LARGE = `must not be longer than ${MAX_WEEK_BYTES} bytes`;

/** Nests a value in this number of levels: maps and arrays in turn. */
function nest(levels: number, innermost: unknown = 'x'): object {
  let value = innermost;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? { a: value } : [value];
  return value as object;
}

/** Creates a map with this number of values: the map, an array in it, and the objects in the array. */
function createWithValues(count: number): object {
  return { a: Array.from({ length: count - 2 }, () => ({})) };
}

/** Creates a map whose JSON has this size in bytes. */
function createWithBytes(bytes: number): object {
  return { a: 'x'.repeat(bytes - '{"a":""}'.length) };
}

test.each<{ name: string; value: object }>([
  { name: 'values of every type', value: { a: null, b: true, c: 0, d: -1.5, e: '', f: 'ü🖋' } },
  {
    name: 'unusual names',
    value: { 'a.b': 1, a__b__: 1, __b__c: 2, constructor: { prototype: 1 } },
  },
  { name: 'names of 1500 bytes', value: { ['x'.repeat(1500)]: 1, ['ü'.repeat(750)]: 1 } },
  { name: '20 levels', value: nest(20) },
  { name: 'null in 20 levels', value: nest(20, null) },
  { name: 'the maximum number of values', value: createWithValues(MAX_WEEK_VALUES) },
  { name: 'the maximum number of bytes', value: createWithBytes(MAX_WEEK_BYTES) },
])('findStorageProblem accepts $name', ({ value }) => {
  expect(findStorageProblem(value)).toBeUndefined();
});

test.each<{ name: string; value: object; problem: string }>([
  {
    name: 'an unpaired surrogate',
    value: { a: ['x', '\udc00'] },
    problem: 'must be valid Unicode',
  },
  { name: 'an empty name', value: { '': 1 }, problem: INVALID_NAME },
  { name: 'a reserved name', value: { a: 1, b: { __b__: 1 } }, problem: INVALID_NAME },
  {
    name: 'the name __proto__',
    value: JSON.parse('{"__proto__":1}') as object,
    problem: INVALID_NAME,
  },
  { name: 'a name of 1501 bytes', value: { ['x'.repeat(1501)]: 1 }, problem: INVALID_NAME },
  {
    name: 'a name of 751 characters, 1502 bytes',
    value: { ['ü'.repeat(751)]: 1 },
    problem: INVALID_NAME,
  },
  { name: 'infinity', value: { a: [Infinity] }, problem: 'must be finite' },
  { name: 'a name with an unpaired surrogate', value: { '\ud800': 1 }, problem: INVALID_NAME },
  { name: '21 levels', value: nest(21), problem: TOO_DEEP },
  { name: '100 000 levels without a stack overflow', value: nest(100_000), problem: TOO_DEEP },
  {
    name: 'one value too many',
    value: createWithValues(MAX_WEEK_VALUES + 1),
    problem: TOO_MANY_VALUES,
  },
  { name: 'one byte too many', value: createWithBytes(MAX_WEEK_BYTES + 1), problem: TOO_LARGE },
])('findStorageProblem rejects $name', ({ value, problem }) => {
  expect(findStorageProblem(value)).toBe(problem);
});

import {
  MAX_BYTES,
  MAX_VALUES,
  unstorable,
} from '../../functions/src/availability/storableJson.ts';

const BAD_NAME = 'must not have a field whose name is empty, reserved or too long';

/** Lists and maps in turn, nested to a number of levels. */
function nested(levels: number): object {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? { a: value } : [value];
  return value as object;
}

/** A map whose JSON has a number of bytes. */
function ofBytes(bytes: number): object {
  return { a: 'x'.repeat(bytes - '{"a":""}'.length) };
}

describe('unstorable', () => {
  test.each([
    [[]],
    [{}],
    [{ a: null, b: true, c: 0, d: -1.5, e: '', f: 'ü🖋' }],
    [[1, 'a', null, { b: [] }]],
    [{ 'a.b': { c: 1 } }],
    [{ constructor: { prototype: 1 } }],
    [{ ['x'.repeat(1500)]: 1 }],
    [{ a__b__: 1, __b__c: 2 }],
    [{ ['ü'.repeat(750)]: 1 }],
  ])('accepts %j', (value) => {
    expect(unstorable(value)).toBeUndefined();
  });

  test.each<[object, (string | number)[], string]>([
    [[[]], [0], 'must not be an array directly inside an array'],
    [{ a: [1, { b: [[1]] }] }, ['a', 1, 'b', 0], 'must not be an array directly inside an array'],
    [{ a: ['x', '\udc00'] }, ['a', 1], 'must be valid Unicode'],
    [{ a: { b: Infinity } }, ['a', 'b'], 'must be finite'],
    [{ '': 1 }, [], BAD_NAME],
    [{ a: { __b__: 1 } }, ['a'], BAD_NAME],
    [{ ['x'.repeat(1501)]: 1 }, [], BAD_NAME],
    [{ ['ü'.repeat(751)]: 1 }, [], BAD_NAME],
    [{ '\ud800': 1 }, [], BAD_NAME],
    [JSON.parse('{"__proto__":1}') as object, [], BAD_NAME],
  ])('describes the problem of %j, and its location', (value, path, reason) => {
    expect(unstorable(value)).toEqual({ path, reason });
  });

  test('counts levels of lists and maps, starting with the value itself, up to 20', () => {
    expect(unstorable(nested(20))).toBeUndefined();
    expect(unstorable(nested(21))).toEqual({
      path: [],
      reason: 'must not be nested deeper than 20 levels',
    });
  });

  test('stops early for a value with a hundred thousand levels', () => {
    expect(unstorable(nested(100_000))?.reason).toBe('must not be nested deeper than 20 levels');
  });

  test('counts each map, each list and each value in them', () => {
    const values = (count: number) => ({ a: Array.from({ length: count - 2 }, () => ({})) });

    expect(unstorable(values(MAX_VALUES))).toBeUndefined();
    expect(unstorable(values(MAX_VALUES + 1))).toEqual({
      path: [],
      reason: `must not have more than ${MAX_VALUES} values`,
    });
  });

  test('counts the bytes of the JSON', () => {
    expect(unstorable(ofBytes(MAX_BYTES))).toBeUndefined();
    expect(unstorable(ofBytes(MAX_BYTES + 1))).toEqual({
      path: [],
      reason: `must not be longer than ${MAX_BYTES} bytes`,
    });
  });

  test('reads no value after the first excess one', () => {
    let looked = 0;
    const list = Array.from({ length: 300_000 }, () => null) as unknown[];
    const watched = new Proxy(list, {
      get: (target, name) => {
        if (typeof name === 'string' && /^\d+$/.test(name)) looked += 1;
        return Reflect.get(target, name) as unknown;
      },
    });

    expect(unstorable({ a: watched })).toBeDefined();
    expect(looked).toBeLessThanOrEqual(MAX_VALUES);
  });
});

import { storedSize, unstorable } from '../../functions/src/availability/storableJson.ts';

/** Lists and maps in turn, so many levels of them. */
function nested(levels: number): unknown {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? { a: value } : [value];
  return value;
}

describe('unstorable', () => {
  test.each([
    null,
    true,
    0,
    -1.5,
    '',
    'ü🖋',
    [],
    {},
    [1, 'a', null, { b: [] }],
    { 'a.b': { c: 1 } },
  ])('finds nothing wrong with %j', (value) => {
    expect(unstorable(value)).toBeUndefined();
  });

  test.each([
    [[[]], [0], 'must not be a list directly in a list'],
    [{ a: [1, { b: [[1]] }] }, ['a', 1, 'b', 0], 'must not be a list directly in a list'],
    [{ a: ['x', '\udc00'] }, ['a', 1], 'must be valid Unicode'],
    [{ '': 1 }, [], 'must not have a field of an empty, reserved or over-long name'],
    [{ a: { __b__: 1 } }, ['a'], 'must not have a field of an empty, reserved or over-long name'],
    [
      { ['x'.repeat(1501)]: 1 },
      [],
      'must not have a field of an empty, reserved or over-long name',
    ],
    [{ '\ud800': 1 }, [], 'must not have a field of an empty, reserved or over-long name'],
    [
      JSON.parse('{"__proto__":1}'),
      [],
      'must not have a field of an empty, reserved or over-long name',
    ],
  ])('says what is wrong with %j, and where', (value: unknown, path, reason) => {
    expect(unstorable(value)).toEqual({ path, reason });
  });

  test('counts levels of lists and maps alike, to 20 below the field’s name', () => {
    expect(unstorable(nested(20), ['field'])).toBeUndefined();
    expect(unstorable(nested(21), ['field'])?.reason).toBe(
      'must not be nested deeper than 20 levels',
    );
  });

  test('stops at once in a value of a hundred thousand levels', () => {
    expect(unstorable(nested(100_000))?.reason).toBe('must not be nested deeper than 20 levels');
  });
});

describe('storedSize', () => {
  // The example of https://firebase.google.com/docs/firestore/storage-size, without its name and the 32 bytes of each document: 147 - 44 - 32.
  test('counts as Firestore’s own example does', () => {
    const task = {
      type: 'Personal',
      done: false,
      priority: 1,
      description: 'Learn Cloud Firestore',
    };

    expect(storedSize(task)).toBe(71);
  });

  test.each([
    [null, 1],
    [true, 1],
    [7, 8],
    ['', 1],
    ['ü', 3],
    [[1, 'a'], 10],
    [{ a: 1 }, 10],
  ])('counts %j as %i bytes', (value, size) => {
    expect(storedSize(value)).toBe(size);
  });
});

import * as z from 'zod';
import { fieldName, validated } from '../../functions/src/http/validation.ts';

describe('validated', () => {
  const schema = z.object({ updates: z.array(z.object({ id: z.string(), order: z.number() })) });

  test.each([
    ['a missing field', {}, 'updates is required.'],
    ['a field of another type', { updates: 7 }, 'updates must be an array.'],
    ['an element of another type', { updates: ['x'] }, 'updates[0] must be an object.'],
    [
      'a field of an element',
      { updates: [{ id: 'a', order: '1' }] },
      'updates[0].order must be a number.',
    ],
    ['a missing field of an element', { updates: [{ id: 'a' }] }, 'updates[0].order is required.'],
    ['a value that is not an object', 'x', 'The body must be an object.'],
    ['null', null, 'The body must be an object.'],
  ])('names %s as the client wrote it', (_what, value, message) => {
    expect(() => validated(schema, value, 'The body')).toThrow(message);
  });

  test.each([
    ['an enumeration', z.enum(['a', 'b']), 'c', 'field must be one of a, b.'],
    ['a number that is too small', z.number().min(1), 0, 'field must be 1 or more.'],
    ['a number that is too large', z.int(), 1e20, 'field must be 9007199254740991 or less.'],
    ['infinity', z.number(), Number.POSITIVE_INFINITY, 'field must be a number.'],
    ['a text that does not match a pattern', z.string().regex(/^a$/), 'b', 'field is not valid.'],
  ])('describes what is expected: %s', (_what, schema, value, message) => {
    expect(() => validated(z.object({ field: schema }), { field: value })).toThrow(message);
  });

  test('removes fields that the schema does not name', () => {
    expect(validated(schema, { updates: [], isAdmin: true })).toEqual({ updates: [] });
  });

  test('never repeats the input', () => {
    const sent = 'x'.repeat(10_000);

    expect(() => validated(z.object({ order: z.number() }), { order: sent })).toThrow(
      /^order must be a number\.$/,
    );
  });
});

describe('fieldName', () => {
  test('writes keys with dots and indexes with brackets', () => {
    expect(fieldName(['a', 3, 'b', 0])).toBe('a[3].b[0]');
  });
});

import * as z from 'zod';
import { pageParameters } from '../../functions/src/http/pagination.ts';
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

describe('pageParameters', () => {
  const parameters = pageParameters({ max: 50, fallback: 20 });

  test('has a default limit and no default cursor', () => {
    expect(validated(parameters, {})).toEqual({ limit: 20 });
  });

  test.each([
    ['1', 1],
    ['50', 50],
    ['007', 7],
  ])('accepts %s as a limit', (limit, read) => {
    expect(validated(parameters, { limit })).toEqual({ limit: read });
  });

  test.each([
    '',
    '0',
    '51',
    '-1',
    '+1',
    '1.5',
    '1e1',
    '0x10',
    'abc',
    ' 1',
    '9'.repeat(400),
    'true',
  ])('refuses "%s" as a limit', (limit) => {
    expect(() => validated(parameters, { limit })).toThrow(
      'limit must be an integer from 1 to 50.',
    );
  });

  test('refuses a limit or a cursor that occurs twice', () => {
    expect(() => validated(parameters, { limit: ['1', '2'] })).toThrow(
      'limit must be an integer from 1 to 50.',
    );
    expect(() => validated(parameters, { cursor: ['a', 'b'] })).toThrow('cursor must be a string.');
  });

  test.each(['', '..', 'a/b', '__x__'])('refuses "%s" as a cursor', (cursor) => {
    expect(() => validated(parameters, { cursor })).toThrow(/^cursor must be an id/);
  });
});

import * as z from 'zod';
import { validate } from './validate.ts';

const schema = z.object({ updates: z.array(z.object({ id: z.string(), order: z.number() })) });
const field = (kind: z.ZodType) => z.object({ field: kind });

test.each<[unknown, z.ZodType, string]>([
  [{}, schema, 'updates is required.'],
  [{ updates: 7 }, schema, 'updates must be an array.'],
  [{ updates: ['x'] }, schema, 'updates[0] must be an object.'],
  [{ updates: [{ id: 'a', order: '1' }] }, schema, 'updates[0].order must be a number.'],
  [{ updates: [{ id: 'a' }] }, schema, 'updates[0].order is required.'],
  ['x', schema, 'The body must be an object.'],
  [null, schema, 'The body must be an object.'],
  [{ field: 'c' }, field(z.enum(['a', 'b'])), 'field must be one of a, b.'],
  [{ field: 0 }, field(z.number().min(1)), 'field must be 1 or more.'],
  [{ field: ['a', 'b'] }, field(z.array(z.string()).max(1)), 'field must have at most 1 elements.'],
  [{ field: 'ab' }, field(z.string().max(1)), 'field must have at most 1 characters.'],
  [{ field: 1e20 }, field(z.int()), 'field must be 9007199254740991 or less.'],
  [{ field: Infinity }, field(z.number()), 'field must be a number.'],
  [{ field: 'b' }, field(z.string().regex(/^a$/)), 'field is not valid.'],
])('describes the first invalid field of %j by its path', (value, demanded, message) => {
  expect(() => validate(demanded, value, 'The body')).toThrow(
    expect.objectContaining({ code: 'invalid-argument', message }) as Error,
  );
});

test('removes fields that the schema does not name', () => {
  expect(validate(schema, { updates: [], isAdmin: true })).toEqual({ updates: [] });
});

import * as z from 'zod';
import { validated } from '../../functions/src/http/validation.ts';

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
  [{ field: 1e20 }, field(z.int()), 'field must be 9007199254740991 or less.'],
  [{ field: Infinity }, field(z.number()), 'field must be a number.'],
  [{ field: 'b' }, field(z.string().regex(/^a$/)), 'field is not valid.'],
])('names what is wrong with %j as the client wrote it', (value, demanded, message) => {
  expect(() => validated(demanded, value, 'The body')).toThrow(
    expect.objectContaining({ code: 'invalid-argument', message }) as Error,
  );
});

test('removes fields that the schema does not name', () => {
  expect(validated(schema, { updates: [], isAdmin: true })).toEqual({ updates: [] });
});

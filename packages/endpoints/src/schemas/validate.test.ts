import * as z from 'zod';
import { validate } from './validate.ts';

const schema = z.object({ updates: z.array(z.object({ id: z.string(), order: z.number() })) });

test.each([
  { value: {}, message: 'updates is required.' },
  { value: { updates: 7 }, message: 'updates must be an array.' },
  { value: { updates: ['x'] }, message: 'updates[0] must be an object.' },
  {
    value: { updates: [{ id: 'a', order: '1' }] },
    message: 'updates[0].order must be a number.',
  },
  { value: { updates: [{ id: 'a' }] }, message: 'updates[0].order is required.' },
  { value: 'x', message: 'The body must be an object.' },
  { value: null, message: 'The body must be an object.' },
])('names the first invalid field of $value by its path', ({ value, message }) => {
  expect(() => validate(schema, value, 'The body')).toThrow(
    expect.objectContaining({ code: 'invalid-argument', message }) as Error,
  );
});

test.each<{ value: unknown; type: z.ZodType; problem: string }>([
  { value: 'c', type: z.enum(['a', 'b']), problem: 'must be one of a, b' },
  { value: 0, type: z.number().min(1), problem: 'must be 1 or more' },
  { value: ['a', 'b'], type: z.array(z.string()).max(1), problem: 'must have at most 1 items' },
  { value: 'ab', type: z.string().max(1), problem: 'must have at most 1 characters' },
  { value: 1e20, type: z.int(), problem: 'must be 9007199254740991 or less' },
  { value: Infinity, type: z.number(), problem: 'must be a number' },
  { value: 'b', type: z.string().regex(/^a$/), problem: 'is not valid' },
])('describes the problem of $value: $problem', ({ value, type, problem }) => {
  expect(() => validate(z.object({ field: type }), { field: value })).toThrow(
    expect.objectContaining({ code: 'invalid-argument', message: `field ${problem}.` }) as Error,
  );
});

test('removes undeclared fields', () => {
  expect(validate(schema, { updates: [], isAdmin: true })).toEqual({ updates: [] });
});

import * as z from 'zod';
import { createSerializer } from './serialize.ts';

const Inner = z.object({ b: z.string() });

function createTestSerializer(response: z.ZodType, method: 'GET' | 'PUT' = 'GET') {
  return createSerializer({ method, path: '/flash', response });
}

test.each<{ name: string; schema: z.ZodType; output: unknown; serialized: unknown }>([
  { name: 'an object', schema: Inner, output: { b: 'x', secret: 1 }, serialized: { b: 'x' } },
  {
    name: 'a list',
    schema: z.array(Inner),
    output: [{ b: 'x', secret: 1 }],
    serialized: [{ b: 'x' }],
  },
  {
    name: 'an optional field',
    schema: z.object({ a: Inner.optional() }),
    output: { a: { b: 'x', secret: 1 } },
    serialized: { a: { b: 'x' } },
  },
  {
    name: 'a missing field',
    schema: z.object({ a: Inner.optional() }),
    output: { secret: 1 },
    serialized: {},
  },
  {
    name: 'an optional field made required that is missing',
    schema: z.object({ a: Inner.optional() }).required({ a: true }),
    output: { secret: 1 },
    serialized: {},
  },
  {
    name: 'fields with defaults',
    schema: z.object({
      a: z.object({ b: Inner.prefault({ b: '' }), c: z.int().default(1) }).prefault({}),
    }),
    output: { a: { b: { b: 'x', secret: 1 }, c: 7, secret: 1 } },
    serialized: { a: { b: { b: 'x' }, c: 7 } },
  },
  {
    name: 'an optional list',
    schema: z.object({ a: z.array(Inner).optional() }),
    output: { a: [{ b: 'x', secret: 1 }] },
    serialized: { a: [{ b: 'x' }] },
  },
  // Zod parses these types.
  {
    name: 'a union',
    schema: z.union([z.array(Inner), Inner]),
    output: { b: 'x', secret: 1 },
    serialized: { b: 'x' },
  },
  {
    name: 'a nullable object',
    schema: z.array(Inner.nullable()),
    output: [null, { b: 'x', secret: 1 }],
    serialized: [null, { b: 'x' }],
  },
  {
    name: 'an object with arbitrary fields',
    schema: z.looseObject({}),
    output: { more: 1 },
    serialized: { more: 1 },
  },
  {
    name: 'a record',
    schema: z.record(z.string(), Inner),
    output: { a: { b: 'x', secret: 1 } },
    serialized: { a: { b: 'x' } },
  },
])('a deployed process serializes only the declared fields of $name', (row) => {
  const { schema, output, serialized } = row;
  jest.replaceProperty(process, 'env', { ...process.env, K_SERVICE: 'flash-list' });

  expect(createTestSerializer(schema)(output)).toBe(JSON.stringify(serialized));
});

test.each([
  { output: undefined, field: 'response' },
  { output: { list: {} }, field: 'response.list' },
  { output: { list: ['text'] }, field: 'response.list[]' },
  { output: { list: [null] }, field: 'response.list[]' },
  { output: { list: [{}] }, field: 'response.list[].b' },
  { output: { list: [{ b: { secret: 1 } }] }, field: 'response.list[].b' },
])('throws for $output and names $field as the invalid field', ({ field, output }) => {
  const serialize = createTestSerializer(z.object({ list: z.array(Inner) }));

  expect(() => serialize(output)).toThrow(
    `GET /flash returned a response that does not match its schema: ${field} has the wrong type.`,
  );
});

test.each([
  { output: { list: [], secret: 1 }, field: 'response.secret' },
  { output: { list: [{ b: 'x', secret: null }] }, field: 'response.list[].secret' },
  { output: { list: [], byName: { a: { b: 'x', secret: 1 } } }, field: 'response.byName.a.secret' },
])('a process that is not deployed throws for the undeclared $field', ({ output, field }) => {
  const byName = z.record(z.string(), Inner).optional();
  const serialize = createTestSerializer(z.object({ list: z.array(Inner), byName }));

  expect(() => serialize(output)).toThrow(
    `GET /flash returned a response that does not match its schema: ${field} is not declared.`,
  );
});

test('adds to the error of a write that its writes were not rolled back', () => {
  expect(() => createTestSerializer(Inner, 'PUT')({})).toThrow(
    'PUT /flash returned a response that does not match its schema: response.b has the wrong type. Writes of this request were not rolled back.',
  );
});

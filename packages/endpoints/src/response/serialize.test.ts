import * as z from 'zod';
import { createSerializer } from './serialize.ts';

const Inner = z.object({ b: z.string() });

function createTestSerializer(response: z.ZodType, method: 'GET' | 'PUT' = 'GET') {
  return createSerializer({ method, path: '/flash', response });
}

test.each<[string, z.ZodType, unknown, unknown]>([
  ['an object', Inner, { b: 'x', secret: 1 }, { b: 'x' }],
  ['a list', z.array(Inner), [{ b: 'x', secret: 1 }], [{ b: 'x' }]],
  [
    'an optional member',
    z.object({ a: Inner.optional() }),
    { a: { b: 'x', secret: 1 } },
    { a: { b: 'x' } },
  ],
  ['a missing member', z.object({ a: Inner.optional() }), { secret: 1 }, {}],
  [
    'a required member that is missing anyway',
    z.object({ a: Inner.optional() }).required({ a: true }),
    { secret: 1 },
    {},
  ],
  [
    'members with defaults',
    z.object({ a: z.object({ b: Inner.prefault({ b: '' }), c: z.int().default(1) }).prefault({}) }),
    { a: { b: { b: 'x', secret: 1 }, c: 7, secret: 1 } },
    { a: { b: { b: 'x' }, c: 7 } },
  ],
  [
    'lists in optional members',
    z.object({ a: z.array(Inner).optional() }),
    { a: [{ b: 'x', secret: 1 }] },
    { a: [{ b: 'x' }] },
  ],
  // Zod parses these types.
  ['a union', z.union([z.array(Inner), Inner]), { b: 'x', secret: 1 }, { b: 'x' }],
  [
    'a nullable object',
    z.array(Inner.nullable()),
    [null, { b: 'x', secret: 1 }],
    [null, { b: 'x' }],
  ],
  ['an object with further fields', z.looseObject({}), { more: 1 }, { more: 1 }],
  ['a record', z.record(z.string(), Inner), { a: { b: 'x', secret: 1 } }, { a: { b: 'x' } }],
])('serializes only the declared fields of %s', (_what, schema, output, expected) => {
  expect(createTestSerializer(schema)(output)).toBe(JSON.stringify(expected));
});

test.each<[string, unknown]>([
  ['response.list', { list: {} }],
  ['response.list[]', { list: ['text'] }],
  ['response.list[]', { list: [null] }],
  ['response.list[].b', { list: [{}] }],
  ['response.list[].b', { list: [{ b: { secret: 1 } }] }],
  ['response', undefined],
])('names %s as the field that does not match the schema', (field, output) => {
  const serialize = createTestSerializer(z.object({ list: z.array(Inner) }));

  expect(() => serialize(output)).toThrow(
    `GET /flash returned a response that does not match its schema: ${field} has the wrong type.`,
  );
});

test('adds that the writes were not rolled back', () => {
  expect(() => createTestSerializer(Inner, 'PUT')({})).toThrow(
    'PUT /flash returned a response that does not match its schema: response.b has the wrong type. Writes of this request were not rolled back.',
  );
});

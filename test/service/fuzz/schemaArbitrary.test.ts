import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { arbitraryOf, type JsonSchema } from './schemaArbitrary.ts';

const document = JSON.parse(readFileSync('public/openapi.json', 'utf8')) as {
  components: { schemas: Record<string, JsonSchema> };
};
const context = { schemas: document.components.schemas, known: () => [] };
const ajv = new Ajv2020({ strict: false, formats: { int64: true } });

test.each<[string, JsonSchema]>([
  [
    'an id',
    { type: 'string', minLength: 1, maxLength: 1500, pattern: '^(?!\\.{1,2}$)(?!__.*__$)[^/]+$' },
  ],
  ['digits', { type: 'string', pattern: '^\\d{1,3}$' }],
  ['a choice', { type: 'string', enum: ['a', 'b'] }],
  ['an integer', { type: 'integer', minimum: 1, maximum: 366 }],
  ['a number', { type: 'number', minimum: -8.64e15, maximum: 8.64e15 }],
  ['a list', { type: 'array', minItems: 1, maxItems: 500, items: { type: 'boolean' } }],
  ['one of two', { type: ['integer', 'null'], minimum: 1 }],
  [
    'an object',
    {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'string' } },
      required: ['a'],
    },
  ],
  ['a map', { type: 'object', propertyNames: { enum: ['Monday'] }, additionalProperties: {} }],
  ['an event', document.components.schemas.UnavailableEvent ?? {}],
  ['a schedule', document.components.schemas.Availability ?? {}],
])('generates for %s only values of the schema', (_what, schema) => {
  const isValid = ajv.compile(schema);

  fc.assert(
    fc.property(arbitraryOf(schema, context), (value) => {
      expect(isValid(JSON.parse(JSON.stringify(value)))).toBe(true);
    }),
    { seed: 1, numRuns: 200 },
  );
});

test('prefers the known texts', () => {
  const schema = { type: 'string', pattern: '^(?!x).+$' };
  const arbitrary = arbitraryOf(schema, { ...context, known: () => ['stored'] }, 'id');

  expect(fc.sample(arbitrary, { seed: 1, numRuns: 50 })).toContain('stored');
});

test('refuses an unknown keyword', () => {
  const schema = { type: 'number', multipleOf: 2 } as JsonSchema;

  expect(() => arbitraryOf(schema, context)).toThrow('The fuzzer does not know multipleOf.');
});

test('refuses a reference to a missing schema', () => {
  expect(() => arbitraryOf({ $ref: '#/components/schemas/Nothing' }, context)).toThrow(
    'There is no schema',
  );
});

/** The mistakes in declarations that throw when a module is loaded. */
import * as z from 'zod';
import { defineCollection } from './defineCollection.ts';
import { storedTime } from './times.ts';

const description = 'Things of this test.';
const Thing = z.object({
  id: z.string(),
  artistId: z.string().optional().describe('The artist.'),
  order: z.number().optional().describe('The position.'),
});
const things = defineCollection('things', { description, schema: Thing });

test('rejects a second declaration of a collection', () => {
  expect(() => defineCollection('things', { description, schema: Thing })).toThrow(
    'The collection things is declared already: import that declaration, and add what it lacks there.',
  );
});

test.each(['', 'things/a', 'things/{thingId}', '{thing}', 'things//parts', '/things', 'a/{b c}/d'])(
  'rejects the path "%s"',
  (path) => {
    expect(() => defineCollection(path, { description, schema: Thing })).toThrow(
      `${path} is not the path of a collection. Write it like \`flash\` or \`conversations/{conversationId}/messages\`.`,
    );
  },
);

test.each(['settings/global/items', 'a/{b}/c/{d}/e'])('accepts the path %s', (path) => {
  expect(defineCollection(path, { description, schema: Thing })).toMatchObject({ path });
});

test('rejects a schema without id', () => {
  const schema = z.object({ text: z.string().optional().describe('The text.') });

  expect(() =>
    // @ts-expect-error: the types reject it too.
    defineCollection('others', { description, schema }),
  ).toThrow('The schema of others has no id: add `id: z.string()`.');
});

const ALLOWED_TYPES =
  'Allowed are strings, numbers, booleans, enums, storedTime, and objects and arrays of these, without transforms and coercion.';
const NO_CHECK =
  'has a check, which is not supported there. Checks are allowed only of strings, numbers, booleans and enums.';

test.each<{ name: string; field: z.ZodType; message: string }>([
  {
    name: 'an unsupported type',
    field: z.date().optional(),
    message: `has the type date, which is not supported. ${ALLOWED_TYPES}`,
  },
  {
    name: 'a transform',
    field: z.string().transform(Number).optional(),
    message: `has the type pipe, which is not supported. ${ALLOWED_TYPES}`,
  },
  {
    name: 'coercion',
    field: z.coerce.string().optional(),
    message: `has z.coerce, which is not supported. ${ALLOWED_TYPES}`,
  },
  {
    name: 'a check of an optional value',
    field: z.string().optional().refine(Boolean),
    message: NO_CHECK,
  },
  {
    name: 'a check inside a default',
    field: z.string().optional().refine(Boolean).default(''),
    message: NO_CHECK,
  },
  {
    name: 'a check of a list',
    field: z.array(z.string()).nonempty().optional(),
    message: NO_CHECK,
  },
  {
    name: 'a required value',
    field: z.string(),
    message:
      'is required, but stored documents may lack it. Make it `.optional()`, or give it a `.default()`.',
  },
  {
    name: 'a missing description',
    field: z.string().optional(),
    message: 'has no description. Add `.describe(…)`.',
  },
])('rejects a field with $name', ({ field, message }) => {
  const inner = z.object({ b: field }).optional().describe('A map.');
  const schema = z.object({ id: z.string(), a: inner });

  expect(() => defineCollection('others', { description, schema })).toThrow(
    `a.b in the schema of others ${message}`,
  );
});

test.each(['info.order', 'list-order'])('rejects the field name %s', (name) => {
  const schema = z.object({ ...Thing.shape, [name]: z.string().optional() });

  expect(() => defineCollection('others', { description, schema })).toThrow(
    `${name} in the schema of others is not a valid field name. Use letters, digits and underscores.`,
  );
});

test('rejects a list that is filtered by a field which its items lack', () => {
  const where = { 'artistInfo.isVerified': true };

  expect(() => things.defineEntireList({ item: Thing, where })).toThrow(
    'things has no field artistInfo.isVerified to filter by.',
  );
});

const FIELDS = 'Its fields: artistId, order.';

test.each<{ name: string; options: object; message: string }>([
  {
    name: 'an owner that is misspelled',
    options: { owner: 'artist' },
    message: `others has no field artist, which owner names. ${FIELDS}`,
  },
  {
    name: 'the id as the owner',
    options: { owner: 'id' },
    message: `others has no field id, which owner names. ${FIELDS}`,
  },
  {
    name: 'a number as the owner',
    options: { owner: 'order' },
    message: 'others: owner names the field order, which is not a string. Name a string.',
  },
  {
    name: 'a required field that is misspelled',
    options: { requiredFields: { orders: 'it is in no list' } },
    message: `others has no field orders, which requiredFields names. ${FIELDS}`,
  },
  {
    name: 'an index exemption that is misspelled',
    options: { indexExemptions: ['map'] },
    message: `others has no field map, which indexExemptions names. ${FIELDS}`,
  },
])('rejects a collection with $name', ({ options, message }) => {
  expect(() => defineCollection('others', { description, schema: Thing, ...options })).toThrow(
    message,
  );
});

test('rejects a list that is sorted by a field which its items do not have', () => {
  // @ts-expect-error: the types reject it too.
  expect(() => things.definePagedList({ item: Thing, orderBy: 'position' })).toThrow(
    `things has no field position, which orderBy names. ${FIELDS}`,
  );
});

test('rejects a list that is sorted by two fields', () => {
  // @ts-expect-error: the types reject it too.
  expect(() => things.definePagedList({ item: Thing, orderBy: 'artistId,order' })).toThrow(
    'things: a list has one sort field, and documents with the same value are sorted by id. orderBy names artistId,order.',
  );
});

test('rejects a list that is filtered by a misspelled field, although its items require the right one', () => {
  const item = Thing.required({ artistId: true });

  // @ts-expect-error: the types reject it too.
  expect(() => things.defineEntireList({ item, filterBy: ['artistID'] })).toThrow(
    `things has no field artistID, which filterBy names. ${FIELDS}`,
  );
});

test.each<{ name: string; filters: object; message: string }>([
  {
    name: 'filtered by a time, which may be a Timestamp',
    filters: { filterBy: ['createdAt'] },
    message:
      'things: filterBy names the field createdAt. Name a string, a number that is not a time, or a boolean.',
  },
  {
    name: 'filtered by a list if a request asks for it',
    filters: { optionalFilterBy: ['tags'] },
    message:
      'things: optionalFilterBy names the field tags. Name a string, a number that is not a time, or a boolean.',
  },
  {
    name: 'filtered by an unknown field if a request asks for it',
    filters: { optionalFilterBy: ['tag'] },
    message: 'things has no field tag, which optionalFilterBy names.',
  },
])('rejects a list that is $name', ({ filters, message }) => {
  const item = Thing.extend({
    createdAt: storedTime.optional().describe('The time.'),
    tags: z.array(z.string()).optional().describe('The tags.'),
  });

  expect(() => things.defineEntireList({ item, ...filters })).toThrow(message);
});

test('rejects a list whose items require a field that it does not filter by', () => {
  const item = Thing.required({ artistId: true, order: true });

  expect(() => things.definePagedList({ item, filterBy: ['artistId'], orderBy: 'order' })).toThrow(
    'order in the schema of things is required, but stored documents may lack it.',
  );
});

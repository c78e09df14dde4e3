import * as z from 'zod';
import { defineCollection } from './defineCollection.ts';
import { buildQuery } from './listQuery.ts';

const Part = z.object({
  id: z.string(),
  artistId: z.string().optional().describe('A field of this test.'),
  isDone: z.boolean().optional().describe('A field of this test.'),
  size: z.number().optional().describe('A field of this test.'),
});
const parts = defineCollection('things/{thingId}/parts', {
  description: 'Parts of things.',
  schema: Part,
});
const filteredParts = parts.defineEntireList({
  item: Part,
  filterBy: ['artistId'],
  optionalFilterBy: ['isDone', 'size'],
});
const partsOfArtist = parts.defineEntireList({ item: Part, filterBy: ['artistId'] });

test('inserts parameters into the path and the filter', () => {
  expect(buildQuery(partsOfArtist, { thingId: 'a', artistId: 'alice' })).toMatchObject({
    collection: 'things/a/parts',
    where: { artistId: 'alice' },
  });
});

test.each([
  { name: 'none', params: {}, where: {} },
  { name: 'a boolean', params: { isDone: false }, where: { isDone: false } },
  { name: 'a number', params: { size: 0, isDone: undefined }, where: { size: 0 } },
])('filters by the optional filters that a request has: $name', ({ params, where }) => {
  expect(buildQuery(filteredParts, { thingId: 'a', artistId: 'alice', ...params }).where).toEqual({
    artistId: 'alice',
    ...where,
  });
});

const THING_ID_REQUIRED = 'things/{thingId}/parts needs a document ID as the parameter thingId.';
const ARTIST_ID_REQUIRED =
  'The list of things/{thingId}/parts needs a string as the parameter artistId.';

test.each([
  { name: 'no parameters', params: {}, message: THING_ID_REQUIRED },
  { name: 'no path parameter', params: { artistId: 'alice' }, message: THING_ID_REQUIRED },
  {
    name: 'a path parameter with a slash',
    params: { thingId: 'a/parts/b', artistId: 'alice' },
    message: THING_ID_REQUIRED,
  },
  {
    name: 'an empty path parameter',
    params: { thingId: '', artistId: 'alice' },
    message: THING_ID_REQUIRED,
  },
  { name: 'no filter', params: { thingId: 'a' }, message: ARTIST_ID_REQUIRED },
  {
    name: 'an optional filter of another type',
    params: { thingId: 'a', artistId: 'alice', isDone: 'true' },
    message: 'The list of things/{thingId}/parts needs a boolean as the parameter isDone.',
  },
  {
    name: 'an unknown parameter',
    params: { thingId: 'a', artistId: 'alice', clientId: 'bob' },
    message: 'things/{thingId}/parts has no parameter clientId.',
  },
])('rejects $name', ({ params, message }) => {
  expect(() => buildQuery(filteredParts, params)).toThrow(message);
});

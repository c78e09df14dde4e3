import * as z from 'zod';
import { defineCollection } from '@tattoo-marketplace/collections';
import { updateIndexes } from './indexes.ts';

const Photo = z.object({
  id: z.string(),
  artistId: z.string().optional().describe('A field of this test.'),
  isVisible: z.boolean().optional().describe('A field of this test.'),
  size: z.number().optional().describe('A field of this test.'),
  time: z.number().optional().describe('A field of this test.'),
  author: z
    .object({ isVerified: z.boolean().optional().describe('A field of this test.') })
    .optional()
    .describe('A field of this test.'),
  week: z.object({}).optional().describe('A field of this test.'),
});
const photos = defineCollection('albums/{albumId}/photos', {
  description: 'Photos.',
  schema: Photo,
  indexExemptions: ['week'],
});
// These lists need no index.
photos.defineEntireList({ item: Photo, filterBy: ['artistId'], where: { isVisible: true } });
photos.definePagedList({ item: Photo, orderBy: 'time' });
photos.definePagedList({ item: Photo, filterBy: ['artistId'], orderBy: 'artistId' });
// These two need the same index.
photos.definePagedList({
  item: Photo,
  filterBy: ['artistId'],
  where: { isVisible: true },
  orderBy: 'time',
});
photos.definePagedList({
  item: Photo,
  filterBy: ['artistId'],
  where: { isVisible: false },
  orderBy: 'time',
});
photos.definePagedList({
  item: Photo,
  where: { 'author.isVerified': true },
  orderBy: 'time',
  descending: true,
});

const letters = defineCollection('letters', { description: 'Letters.', schema: Photo });
letters.definePagedList({
  item: Photo,
  filterBy: ['artistId'],
  optionalFilterBy: ['isVisible', 'size'],
  where: { 'author.isVerified': true },
  orderBy: 'time',
  descending: true,
});

/** Creates an index from its fields: `a b-` has the second one descending. */
function createIndex(collectionGroup: string, fields: string, queryScope = 'COLLECTION') {
  return {
    collectionGroup,
    queryScope,
    fields: fields.split(' ').map((field) => ({
      fieldPath: field.replace(/-$/, ''),
      order: field.endsWith('-') ? 'DESCENDING' : 'ASCENDING',
    })),
  };
}

test('updateIndexes adds the indexes that lists need, and keeps all other indexes', () => {
  const needed = [
    createIndex('photos', 'artistId isVisible time'),
    createIndex('photos', 'author.isVerified time-'),
  ];
  const otherIndexes = [
    createIndex('orders', 'artistId time'),
    createIndex('photos', 'artistId isVisible time', 'COLLECTION_GROUP'),
  ];
  const week = { collectionGroup: 'photos', fieldPath: 'week', indexes: [] };
  const fieldOverrides = [
    { ...week, fieldPath: 'expiresAt', ttl: true },
    { ...week, indexes: [{ order: 'ASCENDING', queryScope: 'COLLECTION' }] },
  ];
  const update = (config: object) =>
    JSON.parse(updateIndexes(JSON.stringify(config), [photos])) as unknown;

  const expected = { indexes: [...needed, ...otherIndexes], fieldOverrides };
  expect(update({ indexes: [...otherIndexes, needed[1]], fieldOverrides })).toEqual(expected);
  expect(update(expected)).toEqual(expected);
  expect(update({})).toEqual({ indexes: needed, fieldOverrides: [week] });
});

/** Creates an index as `firebase firestore:indexes` exports it. */
function createExportedIndex(collectionGroup: string, fields: string) {
  return { ...createIndex(collectionGroup, fields), density: 'SPARSE_ALL' };
}

test('updateIndexes adds an index for each combination of optional filters', () => {
  const { indexes } = JSON.parse(updateIndexes('{}', [letters])) as { indexes: unknown };

  expect(indexes).toEqual([
    createIndex('letters', 'artistId author.isVerified time-'),
    createIndex('letters', 'artistId isVisible author.isVerified time-'),
    createIndex('letters', 'artistId size author.isVerified time-'),
    createIndex('letters', 'artistId isVisible size author.isVerified time-'),
  ]);
});

test('updateIndexes recognizes the exported form of an index, and keeps other exported indexes as they are', () => {
  const orders = createExportedIndex('orders', 'artistId time __name__');
  const config = {
    indexes: [
      createExportedIndex('photos', 'author.isVerified time- __name__-'),
      orders,
      createExportedIndex('photos', 'artistId isVisible time __name__'),
    ],
  };

  expect(JSON.parse(updateIndexes(JSON.stringify(config), [photos]))).toMatchObject({
    indexes: [
      createIndex('photos', 'artistId isVisible time'),
      createIndex('photos', 'author.isVerified time-'),
      orders,
    ],
  });
});

test('updateIndexes recognizes the older form of an index, and converts other indexes of this form', () => {
  const config = {
    indexes: [
      {
        collectionId: 'photos',
        fields: [
          { fieldPath: 'author.isVerified', mode: 'ASCENDING' },
          { fieldPath: 'time', mode: 'DESCENDING' },
        ],
      },
      { collectionId: 'orders', fields: [{ fieldPath: 'tags', mode: 'ARRAY_CONTAINS' }] },
    ],
  };

  expect(JSON.parse(updateIndexes(JSON.stringify(config), [photos]))).toMatchObject({
    indexes: [
      createIndex('photos', 'artistId isVisible time'),
      createIndex('photos', 'author.isVerified time-'),
      {
        collectionGroup: 'orders',
        queryScope: 'COLLECTION',
        fields: [{ fieldPath: 'tags', arrayConfig: 'CONTAINS' }],
      },
    ],
  });
});

test('updateIndexes does not change a file that is up to date, and keeps its comments', () => {
  const text = updateIndexes('{ "indexes": [], /* comment */ "fieldOverrides": [] }', [photos]);

  expect(text).toContain('/* comment */');
  expect(updateIndexes(text, [photos])).toBe(text);
});

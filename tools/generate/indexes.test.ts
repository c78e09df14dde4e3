import * as z from 'zod';
import { defineCollection } from '@tattoo-marketplace/collections';
import { updateIndexes } from './indexes.ts';

const Photo = z.object({
  id: z.string(),
  artistId: z.string().optional(),
  isVisible: z.boolean().optional(),
  time: z.number().optional(),
  author: z.object({ isVerified: z.boolean().optional() }).optional(),
  week: z.object({}).optional(),
});
const photos = defineCollection('albums/{albumId}/photos', {
  description: 'Photos.',
  schema: Photo,
  indexExemptions: ['week'],
});
// These need no index.
photos.defineEntireList({ item: Photo, filterBy: ['artistId'], where: { isVisible: true } });
photos.definePagedList({ item: Photo, orderBy: 'time' });
photos.definePagedList({ item: Photo, filterBy: ['artistId'], orderBy: 'artistId' });
// The first two need the same one.
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

/** An index: `a b-`. */
function index(collectionGroup: string, fields: string, queryScope = 'COLLECTION') {
  return {
    collectionGroup,
    queryScope,
    fields: fields.split(' ').map((field) => ({
      fieldPath: field.replace(/-$/, ''),
      order: field.endsWith('-') ? 'DESCENDING' : 'ASCENDING',
    })),
  };
}

test('each list that needs an index has it, and all others stay: who needs them cannot be told', () => {
  const ours = [
    index('photos', 'artistId isVisible time'),
    index('photos', 'author.isVerified time-'),
  ];
  const theirs = [
    index('orders', 'artistId time'),
    index('photos', 'artistId isVisible time', 'COLLECTION_GROUP'),
  ];
  const week = { collectionGroup: 'photos', fieldPath: 'week', indexes: [] };
  const fieldOverrides = [
    { ...week, fieldPath: 'expiresAt', ttl: true },
    { ...week, indexes: [{ order: 'ASCENDING', queryScope: 'COLLECTION' }] },
  ];
  const written = (file: object) => updateIndexes(JSON.stringify(file), [photos]);

  const expected = { indexes: [...ours, ...theirs], fieldOverrides };
  expect(written({ indexes: [...theirs, ours[1]], fieldOverrides })).toEqual(expected);
  expect(written(expected)).toEqual(expected);
  expect(written({})).toEqual({ indexes: ours, fieldOverrides: [week] });
});

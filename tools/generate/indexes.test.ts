import * as z from 'zod';
import { collection, declaredCollections } from '@tattoo-marketplace/collections';
import { withIndexes } from './indexes.ts';

const photos = collection('albums/{albumId}/photos', {
  purpose: 'Photos.',
  schema: z.object({
    id: z.string(),
    artistId: z.string().optional(),
    isVisible: z.boolean().optional(),
    place: z.number().optional(),
    time: z.number().optional(),
    author: z.object({ isVerified: z.boolean().optional() }).optional(),
    week: z.object({}).optional(),
  }),
  unindexed: ['week'],
});
// These need no index.
photos.list({ of: ['artistId'], where: { isVisible: true } });
photos.list({ orderBy: 'time' });
photos.list({ of: ['artistId'], orderBy: 'artistId' });
// The first two need the same one.
photos.list({ of: ['artistId'], where: { isVisible: true }, orderBy: 'place' });
photos.list({ of: ['artistId'], where: { isVisible: false }, orderBy: 'place' });
photos.list({ where: { 'author.isVerified': true }, orderBy: 'time', descending: true });

// Has no list.
collection('events', {
  purpose: 'Events.',
  schema: z.object({ id: z.string(), artistId: z.string().optional() }),
});

const COLLECTIONS = declaredCollections().slice(-2);

/** An index: `a b- c[]`. */
function index(collectionGroup: string, fields: string, queryScope = 'COLLECTION') {
  return {
    collectionGroup,
    queryScope,
    fields: fields.split(' ').map((field) => {
      const fieldPath = field.replace(/-$|\[\]$/, '');
      if (field.endsWith('[]')) return { fieldPath, arrayConfig: 'CONTAINS' };
      return { fieldPath, order: field.endsWith('-') ? 'DESCENDING' : 'ASCENDING' };
    }),
  };
}

const OWN = [
  index('photos', 'artistId isVisible place'),
  index('photos', 'author.isVerified time-'),
];

const THEIRS = [
  index('orders', 'artistId time'),
  index('photos', 'artistId[] time'),
  index('photos', 'artistId time', 'COLLECTION_GROUP'),
];

const override = (fieldPath: string, rest: object = {}) => ({
  collectionGroup: 'photos',
  fieldPath,
  ...rest,
  indexes: [],
});

test('each list that needs an index has it, and all others stay: who needs them cannot be told', () => {
  const file = {
    indexes: [...THEIRS, OWN[1], index('photos', 'artistId isVisible order')],
    fieldOverrides: [
      override('expiresAt', { ttl: true }),
      { ...override('week'), indexes: [{ order: 'ASCENDING', queryScope: 'COLLECTION' }] },
    ],
  };

  const written = withIndexes(JSON.stringify(file), COLLECTIONS);

  expect(written).toEqual({
    indexes: [...OWN, ...THEIRS, index('photos', 'artistId isVisible order')],
    fieldOverrides: file.fieldOverrides,
  });
  expect(withIndexes(JSON.stringify(written), COLLECTIONS)).toEqual(written);
  expect(withIndexes('{}', COLLECTIONS).fieldOverrides).toEqual([override('week')]);
});

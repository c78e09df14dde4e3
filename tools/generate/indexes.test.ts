import * as z from 'zod';
import { collection, declaredCollections } from '@tattoo-marketplace/collections';
import { lostIndexes, withIndexes } from './indexes.ts';

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

test.each([
  ['time', [], ['time']],
  ['*', [], ['artistId', 'isVisible', 'time', 'artistId']],
  ['time', [{ order: 'DESCENDING' }], ['time']],
  ['artistId', [], ['artistId', 'artistId']],
  ['time', [{ order: 'ASCENDING' }], []],
  // A composite index does not need that of each field.
  ['place', [], []],
  ['author', [], []],
])('with the indexes of %s set to %j, lists lose those of %j', (fieldPath, indexes, lost) => {
  const sentences = lostIndexes([{ ...override(fieldPath), indexes }], COLLECTIONS);

  expect(sentences).toEqual(
    lost.map(
      (each) => expect.stringContaining(`LOST index of photos.${each}, ASCENDING`) as string,
    ),
  );
});

test('generate refuses an exemption that takes the artist list its indexes', () => {
  const artistInfo = { collectionGroup: 'users', fieldPath: 'artistInfo', indexes: [] };
  const file = JSON.stringify({ fieldOverrides: [artistInfo] });

  expect(() => withIndexes(file)).toThrow('LOST index of users.artistInfo.isVerified, ASCENDING');
});

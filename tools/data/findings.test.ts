import { collectionIdOf } from '@tattoo-marketplace/collections';
import { COLLECTIONS } from '../../functions/service.ts';
import { storedDocument } from '../../demo/exampleDocuments.ts';
import { jsonToFields, type DocumentData } from '@tattoo-marketplace/firestore-embedded';
import { CollectionCheck } from './findings.ts';

/** What the check finds in documents of a collection, with their number. */
function findingsIn(path: string, documents: readonly DocumentData[]): string[] {
  const collection = COLLECTIONS.find((each) => each.path === path);
  if (collection === undefined) throw new Error(`There is no collection ${path}.`);
  const check = new CollectionCheck(collection);
  for (const data of documents) check.add(`${path}/1`, jsonToFields(data));
  return [...check.findings].map(([what, found]) => `${found.documents}: ${what}`);
}

const LISTING = { artistId: 'alice', isVisible: true, order: 1 };

test.each(COLLECTIONS)('accepts a complete document of $path', (each) => {
  expect(findingsIn(each.path, [storedDocument(collectionIdOf(each))])).toEqual([]);
});

test.each<[string, DocumentData[], string[]]>([
  ['gallery', [{ ...LISTING, order: 'first' }], ['1: order is stored as string; expected: number']],
  [
    'gallery',
    [LISTING, { artistId: 'alice' }, { isVisible: null, order: null }],
    ['2: isVisible is missing', '1: order is missing', '1: artistId is missing'],
  ],
  [
    'flash',
    [{ ...LISTING, styles: [1, 'bold', 2], price: { amount: 180 } }],
    [
      '1: price.amount is stored as integer; expected: text',
      '1: styles[] is stored as integer; expected: text',
    ],
  ],
  [
    'users',
    [{ userType: 'artist' }, { userType: 'client' }, {}],
    ['1: artistInfo.isVerified is missing', '1: userType is missing'],
  ],
  [
    'bookings',
    [{ artistId: 'alice', sessions: { 1: {} } }, { artistId: 'alice' }],
    ['1: sessions is stored as map; expected: list of maps', '1: sessions is missing'],
  ],
])('finds in %s what is wrong (%#)', (path, stored, expected) => {
  expect(findingsIn(path, stored)).toEqual(expected);
});

test('names the first few documents of a finding', () => {
  const [bookings] = COLLECTIONS.filter(({ path }) => path === 'bookings');
  const check = bookings && new CollectionCheck(bookings);
  for (let id = 0; id < 50; id += 1) check?.add(`bookings/${id}`, jsonToFields({ sessions: [] }));

  expect([...(check?.findings ?? [])]).toEqual([
    [
      'artistId is missing',
      { documents: 50, examples: [0, 1, 2, 3, 4].map((id) => `bookings/${id}`) },
    ],
  ]);
});

import * as z from 'zod';
import { type AnyCollection, collection, nameOf } from '@tattoo-marketplace/collections';
import { COLLECTIONS } from '../../functions/service.ts';
import { storedDocument } from '../../demo/exampleDocuments.ts';
import { toFields, type Data } from '@tattoo-marketplace/firestore-embedded';
import { collectionAt } from './needs.ts';
import { CollectionCheck, type Finding } from './findings.ts';
import type { Fields } from '@tattoo-marketplace/firestore-rest';

function findingsOf(collection: AnyCollection, ...stored: readonly Fields[]): readonly Finding[] {
  const check = new CollectionCheck(collection);
  stored.forEach((fields, index) => {
    check.add(`${collection.path.replace(/\{\w+\}/, '1')}/${index}`, fields);
  });
  return check.result().findings;
}

/** What the check finds in documents of a collection, as sentences. */
function found(path: string, ...documents: readonly Data[]): string[] {
  const collection = collectionAt(path);
  const stored = documents.map(toFields);
  return findingsOf(collection, ...stored).map(
    ({ kind, what, documents: count }) => `${kind}, ${count}: ${what}`,
  );
}

const MESSAGES = 'conversations/{conversationId}/messages';
const LISTING = { artistId: 'alice', isVisible: true, order: 1 };

test.each(COLLECTIONS)('accepts a complete document of $path', (each) => {
  expect(found(each.path, storedDocument(nameOf(each)))).toEqual([]);
});

test.each<[string, Data[], string[]]>([
  [
    'gallery',
    [{ ...LISTING, isVisible: false, order: 'first' }],
    ['wrong type, 1: order is of the type text, not number'],
  ],
  [
    'gallery',
    [LISTING, { artistId: 'alice' }, { artistId: 'bob', isVisible: null }],
    ['lost, 2: isVisible is missing', 'lost, 2: order is missing'],
  ],
  ['gallery', [{ ...LISTING, artistId: 7 }], ['lost, 1: artistId is of the type number, not text']],
  [
    'flash',
    [{ ...LISTING, styles: [1, 'bold', 2], price: { amount: 180 }, size: { minSize: [] } }],
    [
      'wrong type, 1: price.amount is of the type number, not text',
      'wrong type, 1: size.minSize is of the type list, not text',
      'wrong type, 1: styles[] is of the type number, not text',
    ],
  ],
  [
    'users',
    [{ userType: 'artist' }, { userType: 'client' }, {}],
    ['lost, 1: artistInfo.isVerified is missing', 'lost, 1: userType is missing'],
  ],
  [
    'users',
    [{ userType: 'shop' }],
    ['lost, 1: userType is of the type text, not one of artist, client, studio'],
  ],
  [
    'bookings',
    [{ artistId: 'alice', sessions: { 1: {} } }],
    ['lost, 1: sessions is of the type map, not list of maps'],
  ],
  [
    'conversations',
    [{}, { participantIds: ['bob', 7] }, { participantIds: ['alice'] }],
    [
      'lost, 1: participantIds is missing',
      'wrong type, 1: participantIds[] is of the type number, not text',
    ],
  ],
  [
    MESSAGES,
    [{ timestamp: 1 }, { timestamp: { timestampValue: '2026-01-02T03:04:05Z' } }, {}],
    ['lost, 1: timestamp is of several kinds', 'lost, 1: timestamp is missing'],
  ],
  [
    MESSAGES,
    [null, { doubleValue: 'NaN' }, { timestampValue: '2026-01-02T03:04:05Z' }].map((timestamp) => {
      return { timestamp };
    }),
    ['no value, 2: timestamp has no value'],
  ],
  ['flash', [{ ...LISTING, order: null }], ['no value, 1: order has no value']],
])('finds in %s what is wrong (%#)', (path, stored, expected) => {
  expect(found(path, ...stored)).toEqual(expected);
});

test('says why a schema refuses a value of the right type', () => {
  const schema = z.object({ id: z.string(), instagram: z.string().max(3).optional() });
  const studios = collection('studios', { purpose: 'Studios.', schema });

  const [finding] = findingsOf(studios, toFields({ instagram: 'long' }));

  expect(finding?.what).toBe(
    'instagram does not fit: Too big: expected string to have <=3 characters',
  );
});

test('names a few documents of each finding, and counts the others', () => {
  const missing = Array.from({ length: 50 }, () => ({}));
  const [finding] = findingsOf(collectionAt(MESSAGES), ...missing);

  expect(finding).toMatchObject({ documents: 50, consequence: 'in no list' });
  expect(finding?.examples).toEqual([0, 1, 2, 3, 4].map((id) => `conversations/1/messages/${id}`));
});

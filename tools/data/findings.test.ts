import { jsonToFields, type DocumentData } from '@tattoo-marketplace/firestore-embedded';
import { COLLECTIONS } from '../../functions/service.ts';
import { createStoredDocument } from '../../test/support/requests/exampleDocuments.ts';
import { CollectionCheck } from './findings.ts';

/** Returns the problems that the check finds in documents of a collection, with the number of documents. */
function findProblems(path: string, documents: readonly DocumentData[]): string[] {
  const collection = COLLECTIONS.find((candidate) => candidate.path === path);
  if (collection === undefined) throw new Error(`There is no collection ${path}.`);
  const check = new CollectionCheck(collection);
  for (const data of documents) check.add(`${path}/1`, jsonToFields(data));
  return [...check.findings].map(([problem, { documents: count }]) => `${count}: ${problem}`);
}

const LISTING = { artistId: 'alice', isVisible: true, order: 1 };

test.each(COLLECTIONS)('accepts a complete document of $path', (collection) => {
  expect(findProblems(collection.path, [createStoredDocument(collection.path)])).toEqual([]);
});

const TIMESTAMP = { timestampValue: '2026-10-25T12:00:00Z' };
const MESSAGE = { text: 'Hello', senderId: 'alice', timestamp: 1_793_000_000_000 };

test.each<{ name: string; path: string; documents: DocumentData[]; findings: string[] }>([
  {
    name: 'missing fields',
    path: 'gallery',
    documents: [LISTING, { artistId: 'alice' }, { isVisible: null, order: null }],
    findings: ['2: isVisible is missing', '1: order is missing', '1: artistId is missing'],
  },
  {
    name: 'a missing field only where it is required',
    path: 'users',
    documents: [{ userType: 'artist' }, { userType: 'client' }, {}],
    findings: ['1: artistInfo.isVerified is missing', '1: userType is missing'],
  },
  {
    name: 'a missing list, and a map instead of a list',
    path: 'bookings',
    documents: [{ artistId: 'alice', sessions: { 1: {} } }, { artistId: 'alice' }],
    findings: ['1: sessions is stored as map; expected: list of maps', '1: sessions is missing'],
  },
  {
    name: 'values of another type',
    path: 'flash',
    documents: [{ ...LISTING, styles: [1, 'bold', 2], price: { amount: 180 } }],
    findings: [
      '1: price.amount is stored as integer; expected: text',
      '1: styles[] is stored as integer; expected: text',
    ],
  },
  {
    name: 'integers that are not exact in JSON',
    path: 'flash',
    documents: [{ ...LISTING, viewCount: 2 ** 63 - 1 }],
    findings: ['1: viewCount is out of range; expected: integer'],
  },
  {
    name: 'a fraction instead of an integer',
    path: 'flash',
    documents: [{ ...LISTING, viewCount: 1.5 }],
    findings: ['1: viewCount is stored as number; expected: integer'],
  },
  {
    name: 'null instead of a time',
    path: 'conversations/{conversationId}/messages',
    documents: [{ ...MESSAGE, timestamp: null }],
    findings: ['1: timestamp is null; expected: time'],
  },
  {
    name: 'numbers and Timestamps in one list',
    path: 'conversations/{conversationId}/messages',
    documents: [MESSAGE, { ...MESSAGE, timestamp: TIMESTAMP }, { ...MESSAGE, timestamp: 1.5 }],
    findings: ['1: timestamp has different types in one list: Timestamp and number'],
  },
  {
    name: 'a text and a number in one list',
    path: 'gallery',
    documents: [LISTING, { ...LISTING, order: 'first' }],
    findings: [
      '1: order is stored as text; expected: number',
      '1: order has different types in one list: number and text',
    ],
  },
  {
    name: 'no different types in two lists, or beside a list',
    path: 'gallery',
    documents: [
      LISTING,
      { ...LISTING, artistId: 'bob', order: null },
      { ...LISTING, isVisible: false, order: null },
    ],
    findings: [],
  },
])('finds $name', ({ path, documents, findings }) => {
  expect(findProblems(path, documents)).toEqual(findings);
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

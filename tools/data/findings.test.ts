import * as z from 'zod';
import { storedAs } from '../../functions/src/documents/storedNames.ts';
import { COLLECTIONS, nameOf } from '../../functions/declared/collections.ts';
import { storedDocument } from '../../demo/exampleDocuments.ts';
import { storedFields, toFields, type Data } from '../../functions/declared/store.ts';
import type { AnyCollection } from '../../functions/src/documents/collection.ts';
import { StoredNames } from '../../functions/src/documents/storedNames.ts';
import { shellArgument } from '../checks/commandLine.ts';
import { collectionNamed } from './needs.ts';
import { CollectionCheck, type Finding } from './findings.ts';
import { sectionOf } from './guide.ts';
import type { Fields } from '@tattoo-marketplace/firestore-rest';

function findingsOf(collection: AnyCollection, ...stored: readonly Fields[]): readonly Finding[] {
  const check = new CollectionCheck(collection, 5, 'migrate');
  stored.forEach((fields, index) => {
    check.add(`${collection.path.replace(/\{\w+\}/, '1')}/${index}`, fields);
  });
  return check.result().findings;
}

/** What the check finds in documents of a collection, as sentences. */
function found(name: string, ...documents: readonly Data[]): string[] {
  const collection = collectionNamed(name);
  const stored = documents.map((data) => storedFields(`${collection.path}/1`, data));
  return findingsOf(collection, ...stored).map(
    ({ kind, what, documents: count }) => `${kind}, ${count}: ${what}`,
  );
}

const LISTING = { artistId: 'alice', isVisible: true, order: 1 };

test.each(COLLECTIONS.map(nameOf))('accepts a complete document of %s', (name) => {
  expect(found(name, storedDocument(name))).toEqual([]);
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
    [{}, { participantIds: [] }, { participantIds: ['bob', 7] }, { participantIds: ['alice'] }],
    [
      'lost, 1: participantIds is missing',
      'lost, 1: participantIds is empty',
      'wrong type, 1: participantIds[] is of the type number, not text',
    ],
  ],
  [
    'messages',
    [{ timestamp: 1 }, { timestamp: { timestampValue: '2026-01-02T03:04:05Z' } }, {}],
    ['lost, 1: timestamp is of several kinds', 'lost, 1: timestamp is missing'],
  ],
])('finds in %s what is wrong (%#)', (name, stored, expected) => {
  expect(found(name, ...stored)).toEqual(expected);
});

test('names a few documents of each finding, and counts the others', () => {
  const missing = Array.from({ length: 50 }, () => ({}));
  const [finding] = findingsOf(collectionNamed('messages'), ...missing);

  expect(finding).toMatchObject({ documents: 50, consequence: 'in no list' });
  expect(finding?.examples).toEqual([0, 1, 2, 3, 4].map((id) => `conversations/1/messages/${id}`));
});

const OF_ALICE = { artistId: 'alice', isVisible: true };
const FOUR = [0, 1, 2, 3];

test.each<[string, collection: string, Data[], mends: string[]]>([
  [
    'a rename where another field has the values, before a constant',
    'gallery',
    [
      ...FOUR.map((position) => ({ ...OF_ALICE, position, views: 0, mood: 'dark' })),
      OF_ALICE,
      OF_ALICE,
    ],
    [
      '4 have a fitting value in position. If it means the same: --rename order=position',
      'To give the others one value: --set order=0 --where-missing order',
    ],
  ],
  [
    'a constant where no other field, or one of a few documents only, has values',
    'gallery',
    [{ ...OF_ALICE, position: 1 }, OF_ALICE, OF_ALICE],
    ['To give them one value: --set order=0 --where-missing order'],
  ],
  [
    'the likeliest of several names first, no field that the service knows, and none with one value',
    'gallery',
    FOUR.map((order) => {
      return {
        isVisible: true,
        order,
        url: `u${order}`,
        currency: 'EUR',
        client: `c${order}`,
        text: `a b${order}`,
        artist_id: 'a',
      };
    }),
    [
      '4 have a fitting value in artist_id. If it means the same: --rename artistId=artist_id',
      '4 have a fitting value in client. If it means the same: --rename artistId=client',
    ],
  ],
  [
    'a field of the same map, and no constant for it',
    'users',
    [{ userType: 'artist', artistInfo: { verified: true, bio: 'Inks.' } }],
    [
      '1 have a fitting value in artistInfo.verified. If it means the same: --rename artistInfo.isVerified=artistInfo.verified',
    ],
  ],
  [
    'a conversion, where one is certain',
    'gallery',
    ['1', 'first'].map((order) => ({ ...OF_ALICE, order })),
    ['To convert it in 1: --convert order=number'],
  ],
  [
    'a conversion of a reference',
    'bookings',
    [
      {
        artistId: { referenceValue: 'projects/p/databases/(default)/documents/users/alice' },
        sessions: [],
      },
    ],
    ['To convert it: --convert artistId=text'],
  ],
  [
    'a conversion of fields in lists, quoted for the shell',
    'bookings',
    [{ artistId: 'alice', sessions: [{ sessionNumber: '1' }] }],
    ['To convert it: --convert "sessions[].sessionNumber=number"'],
  ],
  [
    'a conversion of lists only where it is certain of all elements',
    'gallery',
    [{ ...LISTING, tags: [{}, 1] }],
    [],
  ],
  [
    'a list of one',
    'conversations',
    [{ participantIds: 'bob' }],
    ['To convert it: --convert participantIds=list'],
  ],
  [
    'times of the kind that most have',
    'messages',
    [
      { timestamp: 1 },
      ...FOUR.map(() => ({ timestamp: { timestampValue: '2026-01-02T03:04:05Z' } })),
    ],
    ['To convert it: --convert timestamp=timestamp'],
  ],
  [
    'no kind of time that would cut microseconds',
    'flash',
    [{ ...LISTING, createdAt: '2026-01-02T03:04:05.123456Z' }],
    ['To convert it: --convert createdAt=timestamp'],
  ],
])('proposes %s', (_what, name, documents, expected) => {
  const collection = collectionNamed(name);
  const findings = findingsOf(collection, ...documents.map(toFields));
  const prefix = `migrate --collection ${shellArgument(collection.path)} `;

  const mends = findings.flatMap((finding) => finding.mends);
  expect(mends.map(({ what, command }) => `${what}: ${command.replace(prefix, '')}`)).toEqual(
    expected,
  );
});

describe('a collection with renamed fields', () => {
  const flash = collectionNamed('flash');
  const schema = z.object({
    id: z.string(),
    artistId: z.string().optional(),
    isVisible: storedAs(z.boolean().optional(), 'isShown', 'visible', 'isVisible'),
    order: storedAs(z.number().optional(), 'position', 'order').describe('The place.'),
    notes: storedAs(z.string().optional(), 'remarks', 'notes'),
  });
  const renamed: AnyCollection = { ...flash, schema, names: new StoredNames(schema) };

  test('lacks documents that have only the older name of a field that its list uses', () => {
    const older = { artistId: 'alice', isVisible: true, position: 1, notes: 'read all the same' };
    const findings = findingsOf(
      renamed,
      ...[LISTING, older, { ...older, isShown: true, order: 1 }].map(toFields),
    );

    expect(findings).toMatchObject([
      {
        what: 'isShown is missing: isVisible is its older name',
        documents: 2,
        mends: [{ command: 'migrate --collection flash --rename isShown=isVisible' }],
      },
      {
        what: 'position is missing: order is its older name',
        documents: 1,
        mends: [{ command: 'migrate --collection flash --rename position=order' }],
      },
    ]);
  });

  test('has its stored names in docs/data.md, and what was before', () => {
    const section = sectionOf(renamed);

    expect(section).toContain('`isShown`, `position`; otherwise in no list.');
    expect(section).toContain('`order` of the API is stored as `position`, before as `order`;');
    expect(section).toContain('- number: `position`');
  });
});

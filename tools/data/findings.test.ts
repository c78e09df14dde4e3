import { logger } from 'firebase-functions/logger';
import type * as z from 'zod';
import { documentReader } from '../../functions/src/documents/documentReader.ts';
import {
  toFields,
  toValue,
  type Fields,
  type StoredDocument,
  type Value,
} from '@tattoo-marketplace/firestore-rest';
import { COLLECTIONS } from './collections.ts';
import { CollectionCheck, type Finding } from './findings.ts';

/** What the check finds in documents of a collection, as sentences. A `Date` stands for a stored `Timestamp`. */
function found(name: string, ...documents: readonly object[]): string[] {
  return findingsOf(name, ...documents.map(stored)).map(
    ({ kind, what, documents: count }) => `${kind}, ${count}: ${what}`,
  );
}

function stored(document: object): Fields {
  const entries = Object.entries(document).map(([name, value]: [string, unknown]) => [
    name,
    value instanceof Date ? { timestampValue: value.toISOString() } : toValue(value),
  ]);
  return Object.fromEntries(entries) as Fields;
}

function findingsOf(name: string, ...documents: readonly Fields[]): readonly Finding[] {
  const collection = COLLECTIONS.find((each) => each.name === name);
  if (collection === undefined) throw new Error(`There is no collection ${name}.`);
  const check = new CollectionCheck(collection, 5);
  documents.forEach((fields, index) => {
    check.add(`${collection.path.replace('{id}', '1')}/${index}`, fields);
  });
  return check.result().findings;
}

const LISTING = { artistId: 'alice', isVisible: true, order: 1 };

describe('the check of stored data', () => {
  test.each(COLLECTIONS.map(({ name, example }) => [name, example] as const))(
    'accepts the example of %s',
    (name, example) => {
      expect(found(name, example)).toEqual([]);
    },
  );

  test.each<[string, object[], string[]]>([
    [
      'flash',
      [{ ...LISTING, isVisible: false, order: 'first' }],
      ['wrong type, 1: order is text, not a number'],
    ],
    [
      'flash',
      [LISTING, { artistId: 'alice' }, { artistId: 'bob', isVisible: null }],
      ['lost, 2: isVisible is missing', 'lost, 2: order is missing'],
    ],
    ['gallery', [{ ...LISTING, artistId: 7 }], ['lost, 1: artistId is a number, not text']],
    [
      'flash',
      [{ ...LISTING, styles: [1, 'bold', 2], price: { amount: 180 } }],
      [
        'wrong type, 1: price.amount is a number, not text',
        'wrong type, 1: styles[] is a number, not text',
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
      ['wrong type, 1: userType is text, not one of artist, client, studio'],
    ],
    [
      'bookings',
      [{ artistId: 'alice', sessions: { 1: {} } }],
      ['lost, 1: sessions is a map, not a list'],
    ],
    [
      'conversations',
      [{}, { participantIds: [] }],
      ['lost, 1: participantIds is missing', 'lost, 1: participantIds names nobody'],
    ],
    [
      'messages',
      [{ timestamp: 1 }, { timestamp: new Date() }, {}],
      ['lost, 1: timestamp is of several kinds', 'lost, 1: timestamp is missing'],
    ],
  ])('finds in %s what is wrong (%#)', (name, documents, expected) => {
    expect(found(name, ...documents)).toEqual(expected);
  });

  test('names a few documents of each finding, and counts the others', () => {
    const [finding] = findingsOf('messages', ...Array.from({ length: 50 }, () => ({})));

    expect(finding).toMatchObject({ documents: 50, consequence: 'in no list' });
    expect(finding?.examples).toEqual(
      [0, 1, 2, 3, 4].map((id) => `conversations/1/messages/${id}`),
    );
  });

  const VALUES: Readonly<Record<string, Value>> = {
    ...toFields({
      text: 'a',
      number: 1.5,
      integer: 2,
      boolean: true,
      null: null,
      nan: NaN,
      map: {},
      list: [[]],
    }),
    time: { timestampValue: '2026-01-02T03:04:05Z' },
    bytes: { bytesValue: 'YQ==' },
    reference: { referenceValue: 'projects/p/databases/(default)/documents/users/alice' },
    place: { geoPointValue: { latitude: 1 } },
    large: { integerValue: '9007199254740993' },
    late: { doubleValue: 8.64e15 + 1 },
  };

  function inMap(value: Value, name: string): Value {
    return { mapValue: { fields: { [name]: value } } };
  }

  test.each(COLLECTIONS.filter(({ schema }) => 'id' in schema.shape))(
    'finds the wrong types that the service leaves out of $name',
    ({ name, schema }) => {
      const reader = documentReader(schema as z.ZodObject<{ id: z.ZodString }>);
      for (const field of reader.fields) {
        for (const value of Object.values(VALUES)) {
          const nested = field.split('.').reduceRight(inMap, value).mapValue?.fields;
          const fields: Fields = { ...nested, extra: value };
          const warn = jest.spyOn(logger, 'warn').mockImplementation(() => undefined);
          reader.readAll([{ id: '1', path: `${name}/1`, fields } as unknown as StoredDocument]);
          const isWrong = warn.mock.calls.length > 0;
          warn.mockRestore();

          const isFound = findingsOf(name, fields).some(({ what }) => / is .*, not /.test(what));
          expect([field, value, isFound]).toEqual([field, value, isWrong]);
        }
      }
    },
  );
});

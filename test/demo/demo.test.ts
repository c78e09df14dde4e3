import { Timestamp } from 'firebase-admin/firestore';
import { User } from '../../functions/src/artists/user.ts';
import { FlashListing } from '../../functions/src/flash/flashListing.ts';
import { GalleryPhoto } from '../../functions/src/gallery/galleryPhoto.ts';
import { isDocumentId } from '../../functions/src/documentId.ts';
import { demoAccounts, featuredAccounts } from './accounts.ts';
import type { DemoDocument } from './document.ts';
import { demoDocuments } from './documents.ts';

type Data = Readonly<Record<string, unknown>>;

const documents = demoDocuments();

/** The documents of a collection by id; `conversations/messages` for those of every conversation. */
function collection(name: string): Map<string, Data> {
  return new Map(
    documents.flatMap(({ path, data }) => {
      const segments = path.split('/');
      const collections = segments.filter((_segment, index) => index % 2 === 0).join('/');
      return collections === name ? [[segments.slice(1).join('/'), data] as const] : [];
    }),
  );
}

function userIds(userType: string): string[] {
  return [...collection('users')].flatMap(([id, user]) => (user.userType === userType ? [id] : []));
}

function verified(isVerified: boolean): Data[] {
  return [...collection('users').values()].filter(
    ({ artistInfo }) => (artistInfo as Data | undefined)?.isVerified === isVerified,
  );
}

describe('the demo data', () => {
  test('is the same each time, each document once', () => {
    const paths = documents.map(({ path }) => path);

    expect(demoDocuments()).toEqual(documents);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.flatMap((path) => path.split('/')).filter((id) => !isDocumentId(id))).toEqual([]);
  });

  test('has verified and unverified artists, clients and a studio, each with an account', () => {
    const ids = [...userIds('artist'), ...userIds('client'), ...userIds('studio')];

    expect(verified(true).length).toBeGreaterThanOrEqual(12);
    expect(verified(false).length).toBeGreaterThanOrEqual(3);
    expect(userIds('client').length).toBeGreaterThanOrEqual(5);
    expect(userIds('studio').length).toBeGreaterThanOrEqual(1);
    expect(demoAccounts.map(({ uid }) => uid).sort()).toEqual(ids.sort());
    expect(new Set(demoAccounts.map(({ email }) => email)).size).toBe(ids.length);
    expect(featuredAccounts.length).toBeGreaterThanOrEqual(4);
  });

  test.each([
    ['users', User],
    ['flash', FlashListing],
    ['gallery', GalleryPhoto],
  ] as const)('has no value of a wrong type in %s', (name, schema) => {
    const faults = [...collection(name)].flatMap(([id, data]) => {
      const { error } = schema.safeParse({ ...data, id });
      return error ? [{ id, issues: error.issues }] : [];
    });

    expect(faults).toEqual([]);
  });

  test('stores some times as numbers and some as a Timestamp', () => {
    const stored = [...collection('flash').values()].map(({ createdAt }) => createdAt);

    expect(stored.some((time) => time instanceof Timestamp)).toBe(true);
    expect(stored.some((time) => typeof time === 'number')).toBe(true);
  });

  test('holds secrets that the service has to withhold', () => {
    const text = JSON.stringify([...collection('users').values()]);

    for (const secret of ['accessToken', 'refreshToken', 'secretKey', 'passwordHash']) {
      expect(text).toContain(secret);
    }
  });

  test('leaves preferences out, in part and whole, for the defaults to fill in', () => {
    const preferences = [...collection('users').values()].map((user) =>
      JSON.stringify(user.preferences ?? null),
    );

    expect(new Set(preferences)).toContain('null');
    expect(new Set(preferences)).toContain('{}');
    expect(preferences.some((text) => text.length > 2 && text !== 'null')).toBe(true);
  });

  test('has an artist with over 120 listings: hidden ones, sold ones, and equal orders', () => {
    const listings = [...collection('flash').values()].filter(
      ({ artistId }) => artistId === 'artist-mara-voss',
    );
    const orders = listings.map(({ order }) => order);

    expect(listings.length).toBeGreaterThan(120);
    expect(listings.some(({ isVisible }) => isVisible === false)).toBe(true);
    expect(listings.some(({ isAvailable }) => isAvailable === false)).toBe(true);
    expect(new Set(orders).size).toBeLessThan(orders.length);
  });

  test('has availability of all three kinds of date range', () => {
    const kinds = [...collection('availability').values()].map(
      ({ dateRangeType }) => dateRangeType,
    );

    expect(new Set(kinds)).toEqual(new Set(['indefinitely', 'specific', 'rolling']));
  });

  test('has bookings of several sessions, numbered from 1', () => {
    const numbers = [...collection('bookings').values()].map(({ sessions }) =>
      (sessions as { sessionNumber: number }[]).map(({ sessionNumber }) => sessionNumber),
    );

    expect(numbers.some(({ length }) => length > 1)).toBe(true);
    expect(numbers).toEqual(numbers.map(({ length }) => Array.from({ length }, (_, n) => n + 1)));
  });

  test('has conversations of two and of three people, one with over 120 messages', () => {
    const sizes = [...collection('conversations').values()].map(
      ({ participantIds }) => (participantIds as string[]).length,
    );
    const messages = [...collection('conversations/messages').keys()].map(
      (path) => path.split('/')[0],
    );
    const most = messages.filter((id) => id === 'conversation-mara-robin').length;

    expect(new Set(sizes)).toEqual(new Set([2, 3]));
    expect(most).toBeGreaterThan(120);
  });

  test('names nobody who is not there', () => {
    const users = new Set(collection('users').keys());
    const conversations = collection('conversations');
    const named = documents.flatMap(({ path, data }: DemoDocument) => {
      const { artistId, clientId, participantIds, senderId } = data;
      const [, conversationId] = path.split('/');
      const participants = (conversations.get(conversationId ?? '')?.participantIds ??
        []) as string[];
      const strangers =
        typeof senderId === 'string' && !participants.includes(senderId) ? ['a stranger'] : [];
      return [
        artistId,
        clientId,
        ...((participantIds as string[] | undefined) ?? []),
        ...strangers,
      ];
    });

    expect(named.filter((id) => id !== undefined && !users.has(id as string))).toEqual([]);
  });
});

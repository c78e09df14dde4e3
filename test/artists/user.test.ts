/** What the artist list shows of a stored user. */
import { logger } from 'firebase-functions/logger';
import { listVerifiedArtists, User } from '../../functions/src/artists/user.ts';
import { toFields } from '../../functions/src/firestore/values.ts';
import { storedArtist } from '../support/factories.ts';
import { found, scriptedFirestore } from '../support/scriptedFirestore.ts';

const firestore = scriptedFirestore();

/** The list, of these stored users. */
async function listed(...users: readonly object[]): Promise<User[]> {
  firestore.play(
    found(Object.fromEntries(users.map((user, index) => [`users/u${index}`, toFields(user)]))),
  );
  const parts = await firestore.within(() => Array.fromAsync(listVerifiedArtists()));
  return parts.flat().map((user) => JSON.parse(user.jsonFor(User)) as User);
}

const DEFAULT_PREFERENCES = {
  notifications: {
    bookings: { newRequests: true, bookingUpdates: true, payments: true, conversations: true },
    marketing: false,
  },
  integrations: {
    paymentProvider: {
      isEnabled: false,
      accountId: '',
      isChargesEnabled: false,
      isPayoutsEnabled: false,
    },
  },
};

test('has the verified artists in parts of 1500', async () => {
  await listed();

  const equal = (fieldPath: string, value: object) => ({
    fieldFilter: { field: { fieldPath }, op: 'EQUAL', value },
  });
  expect(firestore.seen).toMatchObject([
    {
      body: {
        structuredQuery: {
          from: [{ collectionId: 'users' }],
          where: {
            compositeFilter: {
              op: 'AND',
              filters: [
                equal('userType', { stringValue: 'artist' }),
                equal('artistInfo.isVerified', { booleanValue: true }),
              ],
            },
          },
          orderBy: [{ field: { fieldPath: '__name__' }, direction: 'ASCENDING' }],
          limit: 1500,
        },
      },
    },
  ]);
});

test('shows every field of the specification, and no others', async () => {
  const artist = storedArtist();
  const { integrations, preferences } = artist;
  const withSecrets = {
    ...artist,
    passwordHash: 'secret',
    integrations: {
      social: { ...integrations.social, accessToken: 'secret' },
      paymentProvider: { secretKey: 'secret' },
    },
    preferences: { ...preferences, secret: 'secret' },
  };

  expect(await listed(artist, withSecrets)).toEqual([
    { ...artist, id: 'u0' },
    { ...artist, id: 'u1' },
  ]);
});

test('fills in the default preferences', async () => {
  const preferences = { notifications: { bookings: { payments: false }, marketing: true } };

  expect(await listed({}, { preferences })).toEqual([
    { id: 'u0', preferences: DEFAULT_PREFERENCES },
    {
      id: 'u1',
      preferences: {
        ...DEFAULT_PREFERENCES,
        notifications: {
          bookings: { ...DEFAULT_PREFERENCES.notifications.bookings, payments: false },
          marketing: true,
        },
      },
    },
  ]);
});

test('neither reads nor shows the information of other user types', async () => {
  const [artist] = await listed({
    artistInfo: { bio: 'a' },
    clientInfo: { preferredStyles: ['c'] },
    studioInfo: { studioName: 's' },
  });

  expect(artist).toEqual({ id: 'u0', preferences: DEFAULT_PREFERENCES, artistInfo: { bio: 'a' } });
  expect(JSON.stringify(firestore.seen)).not.toMatch(/clientInfo|studioInfo/);
});

test('warns once of all wrong values', async () => {
  const warn = jest.spyOn(logger, 'warn').mockReturnValue(undefined);

  await listed({ email: 1 }, { email: 2 });

  expect(warn.mock.calls).toEqual([
    [
      'Stored values of a wrong type were ignored.',
      {
        count: 2,
        examples: ['users/u0', 'users/u1'].map((document) => ({ document, field: 'email' })),
      },
    ],
  ]);
  warn.mockRestore();
});

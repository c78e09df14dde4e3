import type { User } from '../../functions/src/artists/user.ts';
import { get } from '../support/api.ts';
import { storedArtist } from '../support/factories.ts';
import { freshId, stackStore } from '../support/firestore.ts';
import { rawRequest } from '../support/rawRequest.ts';
import { testStack } from '../support/stack.ts';

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

describe('GET /artists', () => {
  const store = stackStore();

  /** These users as they appear in the list, which also has artists of other tests. */
  async function listed(ids: readonly string[]): Promise<User[]> {
    const { status, body } = await get<User[]>('/artists');
    expect(status).toBe(200);
    return body.filter(({ id }) => ids.includes(id));
  }

  async function storeUser(fields: Readonly<Record<string, unknown>>): Promise<string> {
    const id = freshId('artist');
    await store.setIn('users', { [id]: storedArtist(fields) });
    return id;
  }

  async function listedUser(fields: Readonly<Record<string, unknown>>): Promise<User | undefined> {
    return (await listed([await storeUser(fields)]))[0];
  }

  test('lists exactly the verified artists, by id', async () => {
    const { artistInfo } = storedArtist();
    const [verified, another] = [await storeUser({}), await storeUser({})];
    const others = [
      await storeUser({ artistInfo: { ...artistInfo, isVerified: false } }),
      await storeUser({ artistInfo: { ...artistInfo, isVerified: 'true' } }),
      await storeUser({ artistInfo: {} }),
      await storeUser({ userType: 'client' }),
      await storeUser({ userType: 'studio' }),
    ];

    const found = await listed([verified, another, ...others]);

    expect(found.map(({ id }) => id)).toEqual([verified, another].sort());
  });

  test('sorts all artists by id', async () => {
    const { body } = await get<User[]>('/artists');
    const ids = body.map(({ id }) => id);

    expect(ids).toEqual([...ids].sort());
  });

  test('returns every field of the specification', async () => {
    const id = await storeUser({});

    expect(await listed([id])).toEqual([{ ...storedArtist(), id }]);
  });

  test('returns no other stored field', async () => {
    const { integrations, artistInfo, preferences } = storedArtist();
    const secrets = {
      id: 'another',
      passwordHash: 'secret',
      newNotificationsCount: 3,
      internalNotes: 'secret',
      clientInfo: { preferredStyles: ['secret'] },
      studioInfo: { studioName: 'secret' },
      integrations: {
        social: { ...integrations.social, accessToken: 'secret', refreshToken: 'secret' },
        paymentProvider: { secretKey: 'secret' },
      },
      preferences: { ...preferences, secret: 'secret' },
      artistInfo: {
        ...artistInfo,
        taxNumber: 'secret',
        links: [{ url: 'u', order: 1, s: 'secret' }],
      },
    };
    const id = await storeUser(secrets);

    const [user] = await listed([id]);

    expect(user).toEqual({
      ...storedArtist(),
      id,
      artistInfo: { ...artistInfo, links: [{ url: 'u', order: 1 }] },
    });
  });

  test.each([
    ['no preferences', null, {}],
    ['empty preferences', {}, {}],
    [
      'some of them',
      { notifications: { bookings: { payments: false }, marketing: true } },
      {
        notifications: {
          marketing: true,
          bookings: { ...DEFAULT_PREFERENCES.notifications.bookings, payments: false },
        },
      },
    ],
    [
      'one at the deepest level',
      { integrations: { paymentProvider: { accountId: 'acct_2' } } },
      {
        integrations: {
          paymentProvider: {
            ...DEFAULT_PREFERENCES.integrations.paymentProvider,
            accountId: 'acct_2',
          },
        },
      },
    ],
    [
      'wrong types at several levels',
      { notifications: 7, integrations: { paymentProvider: [] } },
      {},
    ],
    [
      'wrong types at the leaves',
      { notifications: { marketing: 'yes', bookings: { payments: 0 } } },
      {},
    ],
  ])('adds the defaults for a user with %s', async (_what, preferences, expected) => {
    const user = await listedUser({ preferences });

    expect(user?.preferences).toEqual({ ...DEFAULT_PREFERENCES, ...expected });
  });

  test('returns stored Timestamps in milliseconds', async () => {
    const ms = Date.UTC(2026, 4, 5, 6, 7, 8, 9);
    const user = await listedUser({
      createdAt: new Date(ms),
      integrations: { social: { connectedAt: new Date(ms + 1) } },
    });

    expect(user).toMatchObject({
      createdAt: ms,
      integrations: { social: { connectedAt: ms + 1 } },
    });
  });

  test('omits values of a wrong type without losing other elements', async () => {
    const { artistInfo } = storedArtist();
    const whole = await storeUser({});
    const bad = await storeUser({
      displayName: 7,
      pronouns: 'unheard of',
      createdAt: 'yesterday',
      photoURL: null,
      integrations: 'none',
      artistInfo: {
        ...artistInfo,
        bio: ['a'],
        tattooStyles: ['kept', 1],
        links: [{ url: 'kept', order: 'first' }, 'https://bad.example.com'],
        workLocations: [{ city: 'Kept', latitude: Number.NaN, longitude: '1' }],
      },
    });

    const found = await listed([whole, bad]);
    const user = found.find(({ id }) => id === bad);

    expect(found).toHaveLength(2);
    expect(user?.artistInfo).toMatchObject({
      tattooStyles: ['kept'],
      links: [{ url: 'kept' }],
      workLocations: [{ city: 'Kept' }],
      username: 'alice.ink',
    });
    expect(user?.artistInfo).not.toHaveProperty('bio');
    expect(user?.artistInfo?.links).toEqual([{ url: 'kept' }]);
    expect(user?.artistInfo?.workLocations).toEqual([{ city: 'Kept' }]);
    for (const field of ['displayName', 'pronouns', 'createdAt', 'photoURL', 'integrations']) {
      expect(user).not.toHaveProperty(field);
    }
    expect(user).toMatchObject({ email: 'alice@example.com', firstName: 'Alice' });
  });

  test('responds at the root of the function’s own URL, too', async () => {
    const own = new URL(testStack().functionsAddress);
    const response = await rawRequest(own.origin, `${own.pathname}/artists-list/`);

    expect(response.status).toBe(200);
  });
});

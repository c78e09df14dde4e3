import { User } from '../../../functions/src/artists/user.ts';
import { Availability } from '../../../functions/src/availability/availability.ts';
import { Message } from '../../../functions/src/conversations/message.ts';
import { isDocumentId } from '../../../functions/src/fields.ts';
import { FlashListing } from '../../../functions/src/flash/flashListing.ts';
import { GalleryPhoto } from '../../../functions/src/gallery/galleryPhoto.ts';
import { UnavailableEvent } from '../../../functions/src/unavailableEvents/unavailableEvent.ts';
import { demoAccount, demoAccounts, featuredAccounts } from './accounts.ts';
import { DEMO_NOW } from './document.ts';
import { demoDocuments } from './documents.ts';

type Data = Readonly<Record<string, unknown>>;

const TEXT: unknown = expect.any(String);
const NUMBER: unknown = expect.any(Number);

const documents = demoDocuments();
const users = collection('users');
const flash = collection('flash');
const gallery = collection('gallery');
const bookings = collection('bookings');
const conversations = collection('conversations');
const messages = collection('conversations/messages');

/** The documents of a collection by id; `conversations/messages` means the messages of all conversations. */
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
  return [...users].flatMap(([id, user]) => (user.userType === userType ? [id] : []));
}

function verified(isVerified: boolean): Data[] {
  return [...users.values()].filter(
    ({ userType, artistInfo }) =>
      userType === 'artist' && (artistInfo as Data).isVerified === isVerified,
  );
}

/** The number of these documents per artist. */
function countByArtist(owned: Map<string, Data>): Map<string, number> {
  const owners = [...owned.values()].map(({ artistId }) => artistId);
  return new Map(
    userIds('artist').map((id) => [id, owners.filter((owner) => owner === id).length] as const),
  );
}

function messagesOf(conversationId: string): Data[] {
  return [...messages].flatMap(([path, message]) =>
    path.startsWith(`${conversationId}/`) ? [message] : [],
  );
}

function participantsOf(conversationId: string | undefined): string[] {
  return conversations.get(conversationId ?? '')?.participantIds as string[];
}

interface Session {
  readonly sessionNumber: number;
  readonly startTime: number;
  readonly status: string;
}

function sessionsOf(booking: Data): Session[] {
  return booking.sessions as Session[];
}

/** A stored time in ms; NaN, which fails every comparison, if there is none. */
function ms(time: unknown): number {
  if (time instanceof Date) return time.getTime();
  return typeof time === 'number' ? time : NaN;
}

/** The data as read by the service, with times in ms. */
function inMs(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  if (Array.isArray(value)) return value.map(inMs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inMs(member)]));
}

describe('the demo data', () => {
  test('does not depend on time or chance, and has no duplicate ids', async () => {
    const paths = documents.map(({ path }) => path);
    jest.useFakeTimers({ now: 0 });
    const random = jest.spyOn(Math, 'random').mockReturnValue(0.123);
    let again = '';
    await jest.isolateModulesAsync(async () => {
      again = JSON.stringify((await import('./documents.ts')).demoDocuments());
    });
    random.mockRestore();
    jest.useRealTimers();

    expect(again).toBe(JSON.stringify(documents));
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.flatMap((path) => path.split('/')).filter((id) => !isDocumentId(id))).toEqual([]);
  });

  test('has verified and unverified artists, clients and a studio', () => {
    expect(verified(true).length).toBeGreaterThanOrEqual(12);
    expect(verified(false).length).toBeGreaterThanOrEqual(3);
    expect(userIds('client').length).toBeGreaterThanOrEqual(5);
    expect(userIds('studio').length).toBeGreaterThanOrEqual(1);
  });

  test('has an account for every user and no other, with the user’s e-mail and role', () => {
    const facts = demoAccounts.map(({ uid, email, role }) => [uid, email, role]);

    expect(facts).toEqual([...users].map(([id, user]) => [id, user.email, user.userType]));
    expect(new Set(demoAccounts.map(({ email }) => email)).size).toBe(users.size);
  });

  test('has four to six featured accounts with accurate notes', () => {
    const mara = demoAccount('artist-mara-voss');

    expect(featuredAccounts.length).toBeGreaterThanOrEqual(4);
    expect(featuredAccounts.length).toBeLessThanOrEqual(6);
    expect(featuredAccounts.filter(({ role, note }) => !note.startsWith(role))).toEqual([]);
    expect(mara.note).toContain(`${countByArtist(flash).get(mara.uid) ?? 0} flash listings`);
    expect(mara.note).toContain(`${messagesOf('conversation-mara-robin').length} messages`);
    expect(demoAccount('artist-petra-novak').note).toContain('not verified');
    expect(verified(false)).toContain(users.get('artist-petra-novak'));
  });

  test.each([
    ['users', User],
    ['flash', FlashListing],
    ['gallery', GalleryPhoto],
    ['availability', Availability],
    ['unavailableEvents', UnavailableEvent],
    ['conversations/messages', Message],
  ] as const)('has only values of the right type in %s', (name, schema) => {
    const faults = [...collection(name)].flatMap(([id, data]) => {
      const { error } = schema.safeParse({ ...(inMs(data) as Data), id: id.split('/').at(-1) });
      return error ? [{ id, issues: error.issues }] : [];
    });

    expect(faults).toEqual([]);
  });

  test.each([
    ['flash', 'createdAt'],
    ['users', 'createdAt'],
    ['gallery', 'uploadedAt'],
  ])('stores some times as numbers and some as a Timestamp: %s, %s', (name, field) => {
    const stored = [...collection(name).values()].map((data) => data[field]);

    expect(stored.some((time) => time instanceof Date)).toBe(true);
    expect(stored.some((time) => typeof time === 'number')).toBe(true);
  });

  test('has secrets of artists that the artist list must not return', () => {
    for (const artist of verified(true)) {
      expect(artist).toMatchObject({
        integrations: {
          social: { accessToken: TEXT, refreshToken: TEXT },
          paymentProvider: { secretKey: TEXT },
        },
        internalNotes: TEXT,
        newNotificationsCount: NUMBER,
      });
    }
    expect(
      [...users.values()].filter(({ passwordHash }) => passwordHash !== undefined),
    ).not.toEqual([]);
  });

  test('has users without preferences and with empty ones, to show the defaults', () => {
    const preferences = [...users.values()].map((user) => JSON.stringify(user.preferences ?? null));

    expect(new Set(preferences)).toContain('null');
    expect(new Set(preferences)).toContain('{}');
    expect(preferences.some((text) => text.length > 2 && text !== 'null')).toBe(true);
  });

  test('has an artist with custom pronouns', () => {
    const others = [...users.values()].filter(({ pronouns }) => pronouns === 'Other');

    expect(others).not.toEqual([]);
    expect(others.filter(({ otherPronouns }) => typeof otherPronouns !== 'string')).toEqual([]);
  });

  test('has an artist with over 120 listings: hidden ones, sold ones, and equal orders', () => {
    const listings = [...flash.values()].filter(({ artistId }) => artistId === 'artist-mara-voss');
    const orders = listings.map(({ order }) => order);

    expect(listings.length).toBeGreaterThan(120);
    expect(listings.some(({ isVisible }) => isVisible === false)).toBe(true);
    expect(listings.some(({ isAvailable }) => isAvailable === false)).toBe(true);
    expect(new Set(orders).size).toBeLessThan(orders.length);
  });

  test('has an artist without listings, and mostly ones with 6 to 20', () => {
    const counts = [...countByArtist(flash).values()];

    expect(counts).toContain(0);
    expect(counts.filter((count) => count >= 6 && count <= 20).length).toBeGreaterThan(
      counts.length / 2,
    );
  });

  test('has no two listings of an artist with the same title', () => {
    const captions = [...flash.values()].map(
      ({ artistId, sourceData }) =>
        `${artistId as string}: ${(sourceData as Data).caption as string}`,
    );

    expect(new Set(captions).size).toBe(captions.length);
  });

  test('has an artist with over 60 photos, some of them hidden', () => {
    const photos = [...gallery.values()].filter(({ artistId }) => artistId === 'artist-mara-voss');

    expect(photos.length).toBeGreaterThan(60);
    expect(photos.some(({ isVisible }) => isVisible === false)).toBe(true);
  });

  test('has availability of all three kinds of date range', () => {
    const kinds = [...collection('availability').values()].map(
      ({ dateRangeType }) => dateRangeType,
    );

    expect(new Set(kinds)).toEqual(new Set(['indefinitely', 'specific', 'rolling']));
  });

  test('has bookings of several sessions, numbered from 1', () => {
    const numbers = [...bookings.values()].map((booking) =>
      sessionsOf(booking).map(({ sessionNumber }) => sessionNumber),
    );

    expect(numbers.some(({ length }) => length > 1)).toBe(true);
    expect(numbers).toEqual(numbers.map(({ length }) => Array.from({ length }, (_, n) => n + 1)));
  });

  test('has completed sessions in the past and all others in the future', () => {
    const sessions = [...bookings.values()].flatMap(sessionsOf);
    const statuses = new Set(sessions.map(({ status }) => status));

    expect(statuses).toEqual(new Set(['requested', 'scheduled', 'completed']));
    for (const { status, startTime } of sessions) {
      expect(startTime < DEMO_NOW).toBe(status === 'completed');
    }
  });

  test('has conversations of two and of three people, one with over 120 messages', () => {
    const sizes = [...conversations.keys()].map((id) => participantsOf(id).length);

    expect(new Set(sizes)).toEqual(new Set([2, 3]));
    expect(messagesOf('conversation-mara-robin').length).toBeGreaterThan(120);
  });

  test('has messages with equal times, and otherwise sorted by id', () => {
    const times = messagesOf('conversation-mara-robin').map(({ timestamp }) => ms(timestamp));

    expect(new Set(times).size).toBeLessThan(times.length);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test('refers only to existing artists, clients and participants', () => {
    const artists = new Set<unknown>(userIds('artist'));
    const clients = new Set<unknown>(userIds('client'));
    const owned = ['flash', 'gallery', 'availability', 'unavailableEvents', 'bookings'];
    const owners = owned.flatMap((name) => [...collection(name).values()]);

    expect(owners.filter(({ artistId }) => !artists.has(artistId))).toEqual([]);
    expect([...bookings.values()].filter(({ clientId }) => !clients.has(clientId))).toEqual([]);
    for (const id of conversations.keys()) {
      expect(participantsOf(id).filter((user) => !users.has(user))).toEqual([]);
      expect(new Set(participantsOf(id)).size).toBe(participantsOf(id).length);
    }
  });

  test('has messages written and read by participants, and read by their sender', () => {
    for (const [path, { senderId, readBy }] of messages) {
      const participants = participantsOf(path.split('/')[0]);

      expect(participants).toContain(senderId);
      expect(readBy).toContain(senderId);
      expect(participants).toEqual(expect.arrayContaining(readBy as string[]));
    }
  });

  test('has no recorded time in the future or before its artist joined', () => {
    const past = documents.flatMap(({ path, data }) =>
      ['createdAt', 'updatedAt', 'uploadedAt', 'timestamp'].flatMap((field) =>
        field in data ? [{ path, field, time: ms(data[field]), owner: data.artistId }] : [],
      ),
    );

    expect(past.filter(({ time }) => !(time <= DEMO_NOW))).toEqual([]);
    expect(
      past.filter(
        ({ time, owner }) =>
          owner !== undefined && !(time >= ms(users.get(owner as string)?.createdAt)),
      ),
    ).toEqual([]);
    expect(
      documents.filter(
        ({ data }) => 'updatedAt' in data && !(ms(data.updatedAt) >= ms(data.createdAt)),
      ),
    ).toEqual([]);
  });
});

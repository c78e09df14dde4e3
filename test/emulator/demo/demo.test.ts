import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { User } from '../../../functions/src/artists/user.ts';
import { Availability } from '../../../functions/src/availability/availability.ts';
import { Message } from '../../../functions/src/conversations/message.ts';
import { isDocumentId } from '../../../functions/src/fields.ts';
import { FlashListing } from '../../../functions/src/flash/flashListing.ts';
import { GalleryPhoto } from '../../../functions/src/gallery/galleryPhoto.ts';
import { UnavailableEvent } from '../../../functions/src/unavailableEvents/unavailableEvent.ts';
import { isRaw } from '../firestore/store.ts';
import { ROOT } from '../root.ts';
import { demoDocuments, PICTURES } from './documents.ts';
import { accountsForPages } from './served.ts';

/** The stored fields that the tests read. */
interface Data extends Readonly<Record<string, unknown>> {
  readonly artistId: string;
  readonly participantIds: readonly string[];
  readonly sessions: readonly {
    readonly sessionNumber: number;
    readonly startTime: number;
    readonly status: string;
  }[];
}

const NOW = Date.UTC(2030, 0, 15, 12);
const HOUR = 3_600_000;

/** The documents of a collection by id; `conversations/messages` means the messages of all conversations. */
function collection(name: string, now = NOW): Map<string, Data> {
  return new Map(
    demoDocuments(PICTURES, now).flatMap(({ path, data }) => {
      const [first = '', ...rest] = path.split('/');
      const collections = [first, ...rest.filter((_id, index) => index % 2 === 1)].join('/');
      return collections === name ? [[rest.join('/'), data as Data] as const] : [];
    }),
  );
}

function all(name: string, now = NOW): Data[] {
  return [...collection(name, now).values()];
}

/** A stored time in ms; NaN, which fails every comparison, if there is none. */
function ms(time: unknown): number {
  if (isRaw(time)) return Date.parse(String(time.timestampValue));
  return typeof time === 'number' ? time : NaN;
}

/** The data as read by the service, with times in ms. */
function inMs(value: unknown): unknown {
  if (isRaw(value)) return Date.parse(String(value.timestampValue));
  if (Array.isArray(value)) return value.map(inMs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inMs(member)]));
}

describe('the demo data', () => {
  test.each([
    ['users', User],
    ['flash', FlashListing],
    ['gallery', GalleryPhoto],
    ['availability', Availability],
    ['unavailableEvents', UnavailableEvent],
    ['conversations/messages', Message],
  ] as const)('fits the schema in %s, and has valid ids', (name, schema) => {
    const faults = [...collection(name)].flatMap(([path, data]) => {
      const id = path.split('/').at(-1) ?? '';
      const { error } = schema.safeParse({ ...(inMs(data) as Data), id });
      return error || !isDocumentId(id) ? [{ id, issues: error?.issues }] : [];
    });

    expect(faults).toEqual([]);
  });

  test('refers only to existing artists, clients and participants', () => {
    const users = collection('users');
    const conversations = collection('conversations');
    const ids = (userType: string) =>
      [...users].flatMap(([id, user]) => (user.userType === userType ? [id] : []));
    const owned = ['flash', 'gallery', 'availability', 'unavailableEvents', 'bookings'];

    expect(ids('artist')).toEqual(
      expect.arrayContaining(owned.flatMap((name) => all(name)).map(({ artistId }) => artistId)),
    );
    expect(ids('client')).toEqual(
      expect.arrayContaining(all('bookings').map(({ clientId }) => clientId)),
    );
    for (const { participantIds } of conversations.values()) {
      expect([...users.keys()]).toEqual(expect.arrayContaining([...participantIds]));
    }
    for (const [path, { senderId, readBy }] of collection('conversations/messages')) {
      const { participantIds } = conversations.get(path.split('/')[0] ?? '') ?? {};
      expect(participantIds).toEqual(expect.arrayContaining(readBy as string[]));
      expect(readBy).toContain(senderId);
    }
  });

  test('names exactly the pictures that there are', () => {
    const named = JSON.stringify(demoDocuments()).match(/(?<=\/demo\/pictures\/)[^"]+/g);
    const files = readdirSync(join(ROOT, 'public/demo/pictures'), { recursive: true });

    expect([...new Set(named)].sort()).toEqual(
      files
        .map(String)
        .filter((path) => path.endsWith('.svg'))
        .sort(),
    );
  });

  test.each([0, 1, 47, 90, 167])(
    'has completed sessions and recorded times in the past, and all other sessions in the future: %i hours later',
    (hours) => {
      const now = NOW + hours * HOUR;
      for (const { sessions } of all('bookings', now)) {
        sessions.forEach(({ sessionNumber, status, startTime }, index) => {
          expect([sessionNumber, startTime < now]).toEqual([index + 1, status === 'completed']);
        });
      }
      const recorded = demoDocuments(PICTURES, now).flatMap(({ path, data }) =>
        ['createdAt', 'updatedAt', 'uploadedAt', 'timestamp'].flatMap((field) =>
          field in data && !(ms(data[field]) <= now) ? [[path, field]] : [],
        ),
      );
      expect(recorded).toEqual([]);
    },
  );

  // Of lists their lengths, of maps and numbers their type.
  test.each<[string, string, unknown[]]>([
    ['flash', 'isVisible', [true, false]],
    ['flash', 'isAvailable', [true, false]],
    ['flash', 'createdAt', ['number', 'object']],
    ['gallery', 'isVisible', [true, false]],
    ['gallery', 'uploadedAt', ['number', 'object']],
    ['users', 'userType', ['artist', 'client', 'studio']],
    ['users', 'artistInfo', ['object', 'undefined']],
    ['users', 'isVerified', [true, false, 'undefined']],
    ['users', 'preferences', ['object', 'undefined']],
    ['users', 'passwordHash', ['demo-password-hash', 'undefined']],
    ['users', 'createdAt', ['number', 'object']],
    ['availability', 'dateRangeType', ['indefinitely', 'specific', 'rolling']],
    ['bookings', 'sessions', [1, 2, 3, 4, 5]],
    ['conversations', 'participantIds', [2, 3]],
  ])('shows in %s as %s: %j', (name, field, expected) => {
    const found = all(name).map((data) => {
      const { artistInfo, ...others } = data as Partial<Data> & { artistInfo?: Data };
      const value = { ...artistInfo, ...others, artistInfo }[field];
      if (Array.isArray(value)) return value.length;
      return typeof value === 'string' || typeof value === 'boolean' ? value : typeof value;
    });

    expect(new Set(found)).toEqual(new Set(expected));
  });

  test('has lists of several pages, as the notes say, with elements in the same place', () => {
    const ofMara = (name: string) =>
      all(name).filter(({ artistId }) => artistId === 'artist-mara-voss');
    const messages = [...collection('conversations/messages')].filter(([path]) =>
      path.startsWith('conversation-mara-robin/'),
    );
    const orders = ofMara('flash').map(({ order }) => order);
    const times = messages.map(([, { timestamp }]) => timestamp);

    expect([orders.length, times.length]).toEqual([132, 144]);
    expect(ofMara('gallery').length).toBeGreaterThan(50);
    expect(new Set(orders).size).toBeLessThan(orders.length);
    expect(new Set(times).size).toBeLessThan(times.length);
  });

  test('gives the pages the accounts to sign in with, with their conversations and schedules', () => {
    const { accounts, names } = accountsForPages();

    expect(accounts).toContainEqual(
      expect.objectContaining({
        uid: 'artist-mara-voss',
        email: 'mara.voss@example.com',
        schedule: expect.objectContaining({ availabilityId: 'availability-mara-voss' }) as unknown,
        conversations: expect.arrayContaining([
          { id: 'conversation-mara-robin', title: 'Robin Adeyemi' },
        ]) as unknown,
      }),
    );
    expect(names).toHaveProperty('client-robin-adeyemi', 'Robin Adeyemi');
  });
});

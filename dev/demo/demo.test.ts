import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { User } from '../../functions/src/artists/user.ts';
import { Availability } from '../../functions/src/availability/availability.ts';
import { Message } from '../../functions/src/conversations/message.ts';
import { isDocumentId } from '../../functions/src/fields.ts';
import { FlashListing } from '../../functions/src/flash/flashListing.ts';
import { GalleryPhoto } from '../../functions/src/gallery/galleryPhoto.ts';
import { UnavailableEvent } from '../../functions/src/unavailableEvents/unavailableEvent.ts';
import { isRaw } from '../shared/store.ts';
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

/** The documents of a collection by path; `messages` means those of all conversations. */
function collection(name: string, now = NOW): Map<string, Data> {
  return new Map(
    demoDocuments(PICTURES, now)
      .filter(({ path }) => path.split('/').at(-2) === name)
      .map(({ path, data }) => [path, inMs(data) as Data]),
  );
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
    ['messages', Message],
  ] as const)('fits the schema in %s, and has valid ids', (name, schema) => {
    const faults = [...collection(name)].flatMap(([path, data]) => {
      const id = path.split('/').at(-1) ?? '';
      const { error } = schema.safeParse({ ...data, id });
      return error || !isDocumentId(id) ? [{ id, issues: error?.issues }] : [];
    });

    expect(faults).toEqual([]);
  });

  test('refers only to existing artists, clients and participants', () => {
    const users = collection('users');
    const typeOf = (id: unknown) => users.get(`users/${String(id)}`)?.userType;
    const conversations = collection('conversations');

    for (const name of ['flash', 'gallery', 'availability', 'unavailableEvents', 'bookings']) {
      for (const [path, { artistId, clientId }] of collection(name)) {
        const client = name === 'bookings' ? 'client' : undefined;
        expect([path, typeOf(artistId), typeOf(clientId)]).toEqual([path, 'artist', client]);
      }
    }
    for (const { participantIds } of conversations.values()) {
      expect(participantIds.map(typeOf)).not.toContain(undefined);
    }
    for (const [path, { senderId, readBy }] of collection('messages')) {
      const { participantIds } = conversations.get(path.replace(/\/messages\/.*/, '')) ?? {};
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
      for (const { sessions } of collection('bookings', now).values()) {
        sessions.forEach(({ sessionNumber, status, startTime }, index) => {
          expect([sessionNumber, startTime < now]).toEqual([index + 1, status === 'completed']);
        });
      }
      const recorded = demoDocuments(PICTURES, now).flatMap(({ path, data }) =>
        ['createdAt', 'updatedAt', 'uploadedAt', 'timestamp'].flatMap((field) =>
          field in data && !(Number(inMs(data[field])) <= now) ? [[path, field]] : [],
        ),
      );
      expect(recorded).toEqual([]);
    },
  );

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

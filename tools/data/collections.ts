import * as z from 'zod';
import { UserError } from '../checks/commandLine.ts';
import { User } from '../../functions/src/artists/user.ts';
import { Availability } from '../../functions/src/availability/availability.ts';
import { Message } from '../../functions/src/conversations/message.ts';
import { StoredNames } from '../../functions/src/documents/storedNames.ts';
import { storedAs, storedTime } from '../../functions/src/fields.ts';
import { elementsOf, type Fields, type Value } from '@tattoo-marketplace/firestore-rest';
import { FlashListing } from '../../functions/src/flash/flashListing.ts';
import { GalleryPhoto } from '../../functions/src/gallery/galleryPhoto.ts';
import { UnavailableEvent } from '../../functions/src/unavailableEvents/unavailableEvent.ts';

/** A field without which the service does not find a document, or refuses it to everyone. */
export interface Need {
  /** The name of a field of the schema, or the path of one in a map. */
  readonly field: string;
  /** How a list uses it, if one does. A value of any type orders a list; a filter needs one of the field's type. */
  readonly list?: 'order' | 'filter';
  /** Whether a value of its type is complete. */
  readonly isComplete?: (value: Value) => boolean;
  /** To which documents this applies; to all, if undefined. */
  readonly only?: (fields: Fields) => boolean;
  /** What happens to a document without it. */
  readonly otherwise: string;
  /** A value that documents without it may get; otherwise it can only come from another field. */
  readonly fill?: string;
}

/** A collection that the service uses. */
export interface Collection {
  /** `conversations/{id}/messages` */
  readonly path: string;
  readonly purpose: string;
  readonly schema: z.ZodObject<{ id: z.ZodString }>;
  readonly needs: readonly Need[];
}

/** The name of a collection: `messages`. */
export function nameOf({ path }: Collection): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The collection of a name; throws if the service has none. */
export function collectionNamed(name: string): Collection {
  const found = COLLECTIONS.find((each) => nameOf(each) === name);
  if (found !== undefined) return found;
  const names = COLLECTIONS.map(nameOf).join(', ');
  throw new UserError(`There is no collection ${name}. Name one with --collection: ${names}`);
}

/** The stored form of what a request has: fields of these types, with the stored names that the request's have. */
function storedForm(request: z.ZodObject, types: Readonly<Record<string, z.ZodType>>) {
  const names = new StoredNames(request);
  const members = Object.entries(types).map(
    ([field, type]) => [field, storedAs(type.optional(), ...names.of(field))] as const,
  );
  return z.object({ id: z.string(), ...Object.fromEntries(members) });
}

const StoredAvailability = storedForm(Availability, {
  artistId: z.string(),
  isActive: z.boolean(),
  // For each day any value.
  weeklySlots: z.object({}),
  dateRangeType: Availability.shape.dateRangeType,
  effectiveFrom: storedTime,
  effectiveUntil: storedTime,
  rollingDays: z.int(),
  createdAt: storedTime,
  updatedAt: storedTime,
});

const StoredEvent = storedForm(UnavailableEvent, {
  artistId: z.string(),
  title: z.string(),
  date: storedTime,
  startTime: storedTime,
  endTime: storedTime,
});

const Booking = z.object({
  id: z.string(),
  artistId: z.string().optional(),
  clientId: z.string().optional(),
  sessions: z.array(z.object({ sessionNumber: z.number().optional() })).optional(),
});

const Conversation = z.object({
  id: z.string(),
  participantIds: z.array(z.string()).optional(),
});

/** What a document of an artist's list needs. */
const LISTED: readonly Need[] = [
  { field: 'artistId', list: 'filter', otherwise: 'in no list, and nobody may change it' },
  { field: 'isVisible', list: 'filter', otherwise: 'in no list', fill: 'true' },
  { field: 'order', list: 'order', otherwise: 'in no list', fill: '0' },
];

/** All collections of the service. Others are neither read nor written. */
export const COLLECTIONS: readonly Collection[] = [
  {
    path: 'users',
    purpose:
      'Artists, clients and studios. The id of a document is the uid of the Firebase Auth user.',
    schema: User.extend({ newNotificationsCount: z.int().optional() }),
    needs: [
      { field: 'userType', list: 'filter', otherwise: 'not in the artist list' },
      {
        field: 'artistInfo.isVerified',
        list: 'filter',
        only: ({ userType }) => userType?.stringValue === 'artist',
        otherwise: 'not in the artist list',
      },
    ],
  },
  {
    path: 'flash',
    purpose: 'Flash listings: pre-drawn designs that can be booked.',
    schema: FlashListing,
    needs: LISTED,
  },
  {
    path: 'gallery',
    purpose: "Photos of an artist's work.",
    schema: GalleryPhoto,
    needs: LISTED,
  },
  {
    path: 'availability',
    purpose: 'When an artist works.',
    schema: StoredAvailability,
    needs: [{ field: 'artistId', otherwise: 'nobody may change it' }],
  },
  {
    path: 'unavailableEvents',
    purpose: 'Blocks of time in which an artist cannot work.',
    schema: StoredEvent,
    needs: [{ field: 'artistId', otherwise: 'nobody may change it' }],
  },
  {
    path: 'bookings',
    purpose: 'Bookings and their sessions.',
    schema: Booking,
    needs: [
      { field: 'artistId', otherwise: 'nobody may delete its sessions' },
      { field: 'sessions', otherwise: 'every session is 404' },
    ],
  },
  {
    path: 'conversations',
    purpose: 'Who talks with whom.',
    schema: Conversation,
    needs: [
      {
        field: 'participantIds',
        isComplete: (value) => elementsOf(value).some(({ stringValue }) => stringValue),
        otherwise: 'nobody may read its messages',
      },
    ],
  },
  {
    path: 'conversations/{id}/messages',
    purpose: 'The messages of a conversation.',
    schema: Message,
    needs: [{ field: 'timestamp', list: 'order', otherwise: 'in no list' }],
  },
];

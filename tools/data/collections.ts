import * as z from 'zod';
import { UserError } from '../checks/commandLine.ts';
import { User } from '../../functions/src/artists/user.ts';
import { Availability } from '../../functions/src/availability/availability.ts';
import { Message } from '../../functions/src/conversations/message.ts';
import { storedTime } from '../../functions/src/fields.ts';
import type { Fields, Value } from '@tattoo-marketplace/firestore-rest';
import { elementsOf } from '@tattoo-marketplace/firestore-rest';
import { FlashListing } from '../../functions/src/flash/flashListing.ts';
import { GalleryPhoto } from '../../functions/src/gallery/galleryPhoto.ts';
import { UnavailableEvent } from '../../functions/src/unavailableEvents/unavailableEvent.ts';
import * as factories from '../../dev/shared/factories.ts';

/** A field without which the service does not find a document, or refuses it to everyone. */
export interface Need {
  /** The name of a field, or the path of one in a map. */
  readonly field: string;
  /** The type that it must have; any, if it must only be present. */
  readonly type?: z.ZodType;
  /** Whether a value of this type is complete. */
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
  readonly name: string;
  /** `conversations/{id}/messages` */
  readonly path: string;
  /** What the documents are, and which operation deletes them, if one does. */
  readonly purpose: string;
  readonly schema: z.ZodObject;
  readonly needs: readonly Need[];
  /** What happens to a value of a wrong type. */
  readonly otherwise: string;
  /** The fields that this service writes, each with its operation. */
  readonly written: Readonly<Record<string, string>>;
  readonly example: Readonly<Record<string, unknown>>;
}

/** The description of the same field in a request. */
function described<Type extends z.ZodType>(type: Type, request: z.ZodObject, field: string): Type {
  return type.describe((request.shape[field] as z.ZodType).description ?? '');
}

const artistId = (otherwise: string): Need => ({ field: 'artistId', type: z.string(), otherwise });

/** What a document of an artist's list needs. */
const LISTED: readonly Need[] = [
  artistId('in no list, and nobody may change it'),
  { field: 'isVisible', type: z.boolean(), otherwise: 'in no list', fill: 'true' },
  { field: 'order', otherwise: 'in no list', fill: '0' },
];

const StoredUser = User.extend({
  newNotificationsCount: z.int().optional().describe('How many notifications are new.'),
});

const StoredAvailability = z.object({
  artistId: described(z.string(), Availability, 'artistId'),
  isActive: described(z.boolean(), Availability, 'isActive'),
  weeklySlots: z
    .record(z.string(), z.unknown())
    .describe('The week: for each day (`Sunday` … `Saturday`) any value.'),
  dateRangeType: described(Availability.shape.dateRangeType.clone(), Availability, 'dateRangeType'),
  effectiveFrom: described(storedTime.optional(), Availability, 'effectiveFrom'),
  effectiveUntil: storedTime.optional().describe('When the schedule ends, in ms, UTC.'),
  rollingDays: z.int().optional().describe('How many days ahead the schedule reaches.'),
  createdAt: storedTime.optional().describe('When the schedule was created, in ms, UTC.'),
  updatedAt: storedTime.optional().describe('When the schedule was last changed, in ms, UTC.'),
});

const StoredEvent = z.object({
  artistId: z.string().describe('The artist who created the event.'),
  title: described(z.string(), UnavailableEvent, 'title'),
  date: described(storedTime.optional(), UnavailableEvent, 'date'),
  startTime: described(storedTime.optional(), UnavailableEvent, 'startTime'),
  endTime: described(storedTime.optional(), UnavailableEvent, 'endTime'),
});

const Booking = z.object({
  artistId: z.string().describe('The artist of the booking.'),
  clientId: z.string().describe('The client of the booking.'),
  sessions: z
    .array(z.object({ sessionNumber: z.number().describe('The number of the session.') }))
    .describe('The sessions; each may have any other fields.'),
});

const Conversation = z.object({
  participantIds: z.array(z.string()).describe('The users who may read the messages.'),
});

/** The collection of a name; throws if the service has none. */
export function collectionNamed(name: string): Collection {
  const found = COLLECTIONS.find((each) => each.name === name);
  if (found !== undefined) return found;
  const names = COLLECTIONS.map((each) => each.name).join(', ');
  throw new UserError(`There is no collection ${name}. Name one with --collection: ${names}`);
}

/** All collections of the service. Others are neither read nor written. */
export const COLLECTIONS: readonly Collection[] = [
  {
    name: 'users',
    path: 'users',
    purpose:
      'Artists, clients and studios. The id of a document is the uid of the Firebase Auth user.',
    schema: StoredUser,
    needs: [
      {
        field: 'userType',
        type: z.string(),
        otherwise: 'not in the artist list',
      },
      {
        field: 'artistInfo.isVerified',
        type: z.boolean(),
        only: ({ userType }) => userType?.stringValue === 'artist',
        otherwise: 'not in the artist list',
      },
    ],
    otherwise: 'left out',
    written: { newNotificationsCount: 'POST /notifications/reset-new-notifications' },
    example: { ...factories.storedArtist(), newNotificationsCount: 3 },
  },
  {
    name: 'flash',
    path: 'flash',
    purpose: 'Flash listings: pre-drawn designs that can be booked.',
    schema: FlashListing,
    needs: LISTED,
    otherwise: 'left out',
    written: {
      order: 'PUT /flash/reorder',
      isAvailable: 'PUT /flash/mark-as-available, PUT /flash/mark-as-unavailable',
      updatedAt: 'all three',
    },
    example: factories.storedListing(),
  },
  {
    name: 'gallery',
    path: 'gallery',
    purpose:
      "Photos of an artist's work. `DELETE /gallery/remove-photos` deletes them, but not the files at `storageRef`.",
    schema: GalleryPhoto,
    needs: LISTED,
    otherwise: 'left out',
    written: {},
    example: factories.storedPhoto(),
  },
  {
    name: 'availability',
    path: 'availability',
    purpose: 'When an artist works.',
    schema: StoredAvailability,
    needs: [artistId('nobody may change it')],
    otherwise: 'this service writes another type',
    written: Object.fromEntries(
      Object.keys(StoredAvailability.shape)
        .filter((field) => field !== 'artistId' && field !== 'createdAt')
        .map((field) => [field, 'POST /availability/update-availability']),
    ),
    example: factories.storedAvailability(),
  },
  {
    name: 'unavailableEvents',
    path: 'unavailableEvents',
    purpose: 'Blocks of time in which an artist cannot work.',
    schema: StoredEvent,
    needs: [artistId('nobody may change it')],
    otherwise: 'this service writes another type',
    written: Object.fromEntries(
      Object.keys(StoredEvent.shape)
        .filter((field) => field !== 'artistId')
        .map((field) => [field, 'PUT /unavailable-events/edit-unavailable-event']),
    ),
    example: factories.storedEvent(),
  },
  {
    name: 'bookings',
    path: 'bookings',
    purpose: 'Bookings and their sessions.',
    schema: Booking,
    needs: [
      artistId('nobody may delete its sessions'),
      {
        field: 'sessions',
        type: z.array(z.unknown()),
        otherwise: 'every session is 404',
      },
    ],
    otherwise: 'that session cannot be deleted',
    written: { sessions: 'POST /bookings/delete-session' },
    example: factories.storedBooking(),
  },
  {
    name: 'conversations',
    path: 'conversations',
    purpose: 'Who talks with whom.',
    schema: Conversation,
    needs: [
      {
        field: 'participantIds',
        type: z.array(z.unknown()),
        isComplete: (value) => elementsOf(value).some(({ stringValue }) => stringValue),
        otherwise: 'nobody may read its messages',
      },
    ],
    otherwise: 'that user may not read the messages',
    written: {},
    example: { participantIds: ['artist-alice', 'client-carol'] },
  },
  {
    name: 'messages',
    path: 'conversations/{id}/messages',
    purpose: 'The messages of a conversation.',
    schema: Message,
    needs: [{ field: 'timestamp', otherwise: 'in no list' }],
    otherwise: 'left out',
    written: {},
    example: factories.storedMessage(),
  },
];

import { storedArtist, storedListing, storedMessage, storedPhoto } from '../support/factories.ts';

/** What the document shows of an endpoint: a request's body and the body of its 200 answer. */
export interface Example {
  readonly body?: object;
  readonly reply: object;
}

const TIME = Date.UTC(2026, 9, 1, 10);
const success = { success: true };

/** An example for each endpoint, by the name of its function. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  'artists-list': { reply: [{ ...storedArtist(), id: 'artist-alice' }] },
  'availability-updateAvailability': {
    body: {
      artistId: 'artist-alice',
      availabilityId: 'availability-alice',
      isActive: true,
      weeklySlots: { Tuesday: [{ startTime: '10:00', endTime: '16:00' }] },
      dateRangeType: 'rolling',
      rollingDays: 30,
      effectiveFrom: TIME,
      createdAt: TIME,
      updatedAt: TIME,
    },
    reply: success,
  },
  'bookings-deleteSession': {
    body: { bookingId: 'booking-1', sessionNumber: 2 },
    reply: { message: 'Session 2 was deleted from the booking.', bookingId: 'booking-1' },
  },
  'conversations-getMessages': {
    reply: {
      messages: [{ ...storedMessage(), id: 'message-7' }],
      hasMore: true,
      nextCursor: 'message-7',
    },
  },
  'flash-listByArtist': {
    reply: {
      flash: [{ ...storedListing(), id: 'flash-1' }],
      total: 132,
      hasMore: true,
      nextCursor: 'flash-1',
    },
  },
  'flash-markAsAvailable': {
    body: { flashIds: ['flash-1', 'flash-2'] },
    reply: { success: true, updatedCount: 2 },
  },
  'flash-markAsUnavailable': {
    body: { flashIds: ['flash-1', 'flash-2'] },
    reply: { success: true, updatedCount: 2 },
  },
  'flash-reorder': {
    body: {
      flashUpdates: [
        { id: 'flash-2', order: 0 },
        { id: 'flash-1', order: 1 },
      ],
    },
    reply: success,
  },
  'gallery-listByArtist': {
    reply: { photos: [{ ...storedPhoto(), id: 'photo-1' }], total: 1, hasMore: false },
  },
  'gallery-removePhotos': { body: { photoIds: ['photo-1', 'photo-2'] }, reply: success },
  'notifications-resetNewNotifications': { reply: success },
  'unavailableEvents-editUnavailableEvent': {
    body: {
      id: 'event-1',
      title: 'Convention in Chicago',
      date: TIME,
      startTime: TIME,
      endTime: TIME + 8 * 3_600_000,
    },
    reply: { success: true, message: 'The unavailable event was updated.' },
  },
};

import * as z from 'zod';
import {
  createOwned,
  defineCollection,
  planCreation,
  planTransforms,
  readPageWithTotal,
  storedTime,
  updateOwned,
  type PageRequest,
} from '@tattoo-marketplace/collections';
import { boundedString, documentId } from '@tattoo-marketplace/endpoints';
// eslint-disable-next-line boundaries/dependencies -- Each request has a conversation.
import { conversations, messages } from '../conversations/message.ts';
import { users } from '../users.ts';

/** A day of a request. */
export const day = z.string().regex(/^\d{4}-\d\d-\d\d$/, 'must be a day, such as 2026-10-31');

export const Status = z.enum(['requested', 'accepted', 'declined']);
type Status = z.infer<typeof Status>;

export const BookingRequest = z
  .object({
    id: z.string().describe('The id of the request, and of its conversation.'),
    artistId: z.string().optional().describe('The artist.'),
    clientId: z.string().optional().describe('The client who asks.'),
    day: z.string().optional().describe('The day of the booking: `2026-10-31`.'),
    status: Status.optional().describe('What the artist has decided.'),
    createdAt: storedTime.optional().describe('When it was sent.'),
    updatedAt: storedTime.optional().describe('When the artist decided.'),
  })
  .meta({ id: 'BookingRequest', description: 'A request of a client to be tattooed on a day.' });

/** A booking request to create. */
export const NewBookingRequest = z
  .object({
    artistId: documentId.describe('The id of the artist.'),
    day: day.describe('The day of the booking: `2026-10-31`.'),
    content: boundedString(2000).describe('The first message to the artist.'),
  })
  .meta({ id: 'NewBookingRequest', description: 'A booking request to create.' });
type NewBookingRequest = z.infer<typeof NewBookingRequest>;

export const bookingRequests = defineCollection('bookingRequests', {
  description: 'Requests of clients for bookings.',
  schema: BookingRequest,
  owner: 'artistId',
});
const byDay = bookingRequests.definePagedList({
  item: BookingRequest,
  filterBy: ['artistId'],
  optionalFilterBy: ['status'],
  orderBy: 'day',
});

/** A page of the requests to an artist, of a range of days, perhaps with one status only. */
export async function listRequests(
  artistId: string,
  { status, ...page }: PageRequest & { readonly status?: Status | undefined },
) {
  const { items, ...position } = await readPageWithTotal(byDay, { artistId, status }, page);
  return { bookingRequests: items, ...position };
}

/** Adds a request with this id, its conversation and first message, and counts a notification of the artist. */
export async function addBookingRequest(
  id: string,
  { artistId, day, content }: NewBookingRequest,
  clientId: string,
) {
  const conversation = { collection: conversations, id };
  const message = { collection: messages, params: { conversationId: id }, id: 'first' };
  const artist = { collection: users, document: { artistId } };
  return createOwned(
    { collection: bookingRequests, id, callerId: clientId, ownedBy: 'clientId' },
    { artistId, day, status: 'requested' },
    ['createdAt'],
    [
      planCreation(conversation, { participantIds: [artistId, clientId] }, []),
      planCreation(message, { senderId: clientId, content, readBy: [clientId], type: 'text' }, [
        'timestamp',
      ]),
      planTransforms(artist, { increment: { newNotificationsCount: 1 } }),
    ],
  );
}

/** Replaces the status of a request to the caller. */
export async function setStatus(requestId: string, status: Status, callerId: string) {
  const documents = [{ requestId }];
  await updateOwned({ collection: bookingRequests, documents, callerId }, () => ({ status }));
}

import { Created, defineEndpoint } from '@tattoo-marketplace/endpoints';
import { addBookingRequest, NewBookingRequest } from './bookingRequest.ts';

export const createBookingRequest = defineEndpoint({
  method: 'POST',
  path: '/booking-requests/create',
  access: 'signedIn',
  summary: 'Request a booking',
  description: 'Creates a request and its conversation, and counts a notification of the artist.',
  createsDocument: true,
  body: NewBookingRequest,
  response: Created,
  errors: { 'not-found': 'The artist does not exist.' },
  example: {
    body: { artistId: 'artist-theo-okafor', day: '2026-10-31', content: 'A swallow, please.' },
    response: { id: '0Zs4mVwq8hGXn2LcR7Tb' },
  },
  handle: async ({ body, caller, newDocumentId }) => ({
    id: await addBookingRequest(newDocumentId, body, caller.uid),
  }),
});

import * as z from 'zod';
import { documentId, defineEndpoint } from '@tattoo-marketplace/endpoints';
import { removeSession } from './booking.ts';

export const deleteSession = defineEndpoint({
  method: 'POST',
  path: '/bookings/delete-session',
  access: 'signedIn',
  onlyFor: 'the artist of the booking',
  summary: 'Delete a session from a booking',
  description: 'Removes one session; the numbers of the others do not change.',
  body: z
    .object({
      bookingId: documentId.describe('The id of the booking.'),
      sessionNumber: z
        .number()
        .min(-Number.MAX_SAFE_INTEGER)
        .max(Number.MAX_SAFE_INTEGER)
        .describe('The number of the session. If several have it, the first one is removed.'),
    })
    .meta({ id: 'DeleteSessionRequest', description: 'The session to delete.' }),
  idempotent: false,
  // A booking may have 1 MB, and a request holds several copies of it in memory.
  concurrency: 10,
  response: z
    .object({
      message: z.string().describe('A sentence that confirms what was deleted.'),
      bookingId: z.string().describe('The id of the booking.'),
    })
    .meta({ id: 'DeleteSessionResult', description: 'The session was deleted.' }),
  errors: {
    'invalid-argument': 'A field is missing or invalid.',
    'not-found': 'The booking does not exist or has no such session.',
  },
  example: {
    body: { bookingId: 'booking-006', sessionNumber: 2 },
    response: { message: 'Session 2 was deleted from the booking.', bookingId: 'booking-006' },
  },
  async handle({ body: { bookingId, sessionNumber }, caller }) {
    await removeSession(bookingId, sessionNumber, caller.uid);
    return { message: `Session ${sessionNumber} was deleted from the booking.`, bookingId };
  },
});

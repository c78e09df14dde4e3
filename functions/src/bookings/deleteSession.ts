import * as z from 'zod';
import { documentId } from '../fields.ts';
import { endpoint } from '../http/endpoint.ts';
import { removeSession } from './booking.ts';

/** POST /bookings/delete-session */
export const deleteSession = endpoint({
  method: 'POST',
  path: '/bookings/delete-session',
  access: 'signedIn',
  summary: 'Delete a session from a booking',
  description:
    'Removes one session. The others keep their numbers. Only the artist of the booking can.',
  body: z.object({
    bookingId: documentId.describe('The id of the booking.'),
    sessionNumber: z.number().describe('The number of the session.'),
  }),
  response: z.object({
    message: z.string().describe('Says in a sentence what was deleted.'),
    bookingId: z.string().describe('The id of the booking.'),
  }),
  errors: {
    'invalid-argument': 'A field is missing or not valid.',
    'permission-denied': 'The booking is another artist’s.',
    'not-found': 'There is no such booking, or no such session in it.',
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

import * as z from 'zod';
import { FieldError } from '@tattoo-marketplace/endpoints';
import { defineCollection, removeItem, updateOwned } from '@tattoo-marketplace/collections';

export const bookings = defineCollection('bookings', {
  description: 'Bookings and their sessions.',
  schema: z.object({
    id: z.string(),
    artistId: z.string().optional().describe('The artist who was booked.'),
    clientId: z.string().optional().describe('The client who booked.'),
    sessions: z
      .array(
        z.object({
          sessionNumber: z.number().optional().describe('The number of the session.'),
        }),
      )
      .optional()
      .describe('The sessions, in any order.'),
  }),
  owner: 'artistId',
  requiredFields: { sessions: 'every session is 404' },
});

/**
 * Removes the first session with this number from one of the caller's bookings. The other sessions
 * are stored unchanged. Throws `not-found` if there is no such booking or session, and
 * `permission-denied` if the booking belongs to another artist.
 */
export async function removeSession(
  bookingId: string,
  sessionNumber: number,
  callerId: string,
): Promise<void> {
  await updateOwned(
    { collection: bookings, documents: [{ bookingId }], callerId },
    ({ sessions = [] }) => {
      const session = sessions.find((candidate) => candidate.sessionNumber === sessionNumber);
      if (session !== undefined) return { sessions: removeItem(sessions, session) };
      const problem = 'does not exist in this booking';
      throw new FieldError('not-found', { field: 'sessionNumber' }, problem);
    },
    { fields: ['sessions'] },
  );
}

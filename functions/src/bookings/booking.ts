import * as z from 'zod';
import { FieldError } from '@tattoo-marketplace/endpoints';
import { defineCollection, updateDocument } from '@tattoo-marketplace/collections';
import { decodePrimitive, getArrayElements } from '@tattoo-marketplace/firestore-rest';

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
  caller: string,
): Promise<void> {
  const document = { id: bookingId, field: 'bookingId' };
  await updateDocument({ collection: bookings, document, caller }, ['sessions'], (stored) => {
    const sessions = getArrayElements(stored.sessions);
    const index = sessions.findIndex(
      ({ mapValue }) => decodePrimitive(mapValue?.fields?.sessionNumber) === sessionNumber,
    );
    if (index < 0) {
      const problem = 'does not exist in this booking';
      throw new FieldError('not-found', { field: 'sessionNumber' }, problem);
    }
    return { sessions: { arrayValue: { values: sessions.toSpliced(index, 1) } } };
  });
}

import * as z from 'zod';
import { documentId, boundedString } from '@tattoo-marketplace/endpoints';
import {
  defineCollection,
  requestTime,
  storedTime,
  updateOwned,
} from '@tattoo-marketplace/collections';

/** Maximum number of characters in a title. */
const MAX_TITLE_LENGTH = 200;

/** A block of time in which an artist cannot work, in a request. */
export const UnavailableEvent = z
  .object({
    id: documentId.describe('The id of the event.'),
    title: boundedString(MAX_TITLE_LENGTH).describe(
      `The title of the event: 1 to ${MAX_TITLE_LENGTH} characters.`,
    ),
    date: requestTime.describe('The day of the event, in ms, UTC.'),
    startTime: requestTime.describe('When the event starts, in ms, UTC.'),
    endTime: requestTime.describe('When the event ends, in ms, UTC; later than `startTime`.'),
  })
  .refine(({ startTime, endTime }) => endTime > startTime, {
    path: ['endTime'],
    error: 'must be later than startTime',
  })
  .meta({ id: 'UnavailableEvent', description: 'A block of time in which an artist cannot work.' });
export type UnavailableEvent = z.infer<typeof UnavailableEvent>;

export const events = defineCollection('unavailableEvents', {
  description: 'Blocks of time in which an artist cannot work.',
  schema: z.object({
    id: z.string(),
    artistId: z.string().optional().describe('The artist who created the event.'),
    title: z.string().optional().describe('The title of the event.'),
    date: storedTime.optional().describe('The day of the event.'),
    startTime: storedTime.optional().describe('When the event starts.'),
    endTime: storedTime.optional().describe('When the event ends.'),
  }),
  owner: 'artistId',
});

/** Changes an event of the caller. Throws `not-found`, or `permission-denied` if it belongs to another artist. */
export async function updateEvent(
  { id, ...fields }: UnavailableEvent,
  callerId: string,
): Promise<void> {
  await updateOwned({ collection: events, documents: [{ id }], callerId }, () => fields);
}

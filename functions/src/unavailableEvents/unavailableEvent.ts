import * as z from 'zod';
import { documentId, requestTime } from '../fields.ts';
import { updateOwned } from '../firestore/ownedDocuments.ts';

const MAX_TITLE = 200;
const TITLE = `must have 1 to ${MAX_TITLE} characters`;

/** A block of time in which an artist cannot work, as callers send it. */
export const UnavailableEvent = z
  .object({
    id: documentId.describe('The id of the event.'),
    title: z
      .string()
      .refine((title) => title.isWellFormed(), 'must be valid Unicode')
      // A character takes one or two of the units that `length` counts, which is asked first: it costs nothing.
      .refine(
        (title) =>
          title !== '' && title.length <= 2 * MAX_TITLE && Array.from(title).length <= MAX_TITLE,
        TITLE,
      )
      .describe(`What the event is called: 1 to ${MAX_TITLE} characters.`)
      .meta({ override: { minLength: 1, maxLength: MAX_TITLE } }),
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

/** Changes an event of the caller's own. Throws `not-found` or `permission-denied`. */
export async function changeEvent(
  { id, title, date, startTime, endTime }: UnavailableEvent,
  caller: string,
): Promise<void> {
  const named = [{ id, field: 'id' }];
  await updateOwned({ collection: 'unavailableEvents', named, owner: caller }, () => ({
    ...{ title, date, startTime, endTime },
  }));
}

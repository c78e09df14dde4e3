import * as z from 'zod';
import { documentId } from '../documentId.ts';
import { firestore } from '../firestore.ts';
import { readOwned } from '../ownership.ts';
import { sentTime } from '../sentTime.ts';
import { inTransaction } from '../transaction.ts';

const MAX_TITLE = 200;
const TITLE = `must have 1 to ${MAX_TITLE} characters`;

/** A block of time in which an artist cannot work, as callers send it. */
export const UnavailableEvent = z
  .object({
    id: documentId.describe('The id of the event.'),
    title: z
      .string()
      .refine((title) => title.isWellFormed(), 'must be valid Unicode')
      .refine((title) => title !== '' && Array.from(title).length <= MAX_TITLE, TITLE)
      .describe(`What the event is called: 1 to ${MAX_TITLE} characters.`)
      .meta({ override: { minLength: 1, maxLength: MAX_TITLE } }),
    date: sentTime.describe('The day of the event, in ms, UTC.'),
    startTime: sentTime.describe('When the event starts, in ms, UTC.'),
    endTime: sentTime.describe('When the event ends, in ms, UTC; later than `startTime`.'),
  })
  .refine(({ startTime, endTime }) => endTime > startTime, {
    path: ['endTime'],
    error: 'must be later than startTime',
  })
  .meta({ id: 'UnavailableEvent', description: 'A block of time in which an artist cannot work.' });
export type UnavailableEvent = z.infer<typeof UnavailableEvent>;

/** Changes an event of the caller's. Throws `not-found` or `permission-denied`. */
export async function changeEvent(
  { id, title, date, startTime, endTime }: UnavailableEvent,
  caller: string,
): Promise<void> {
  const events = firestore().collection('unavailableEvents');
  await inTransaction(async (attempt) => {
    await readOwned(attempt, events, [{ id, field: 'id' }], caller);
    attempt.update(events.doc(id), { title, date, startTime, endTime });
  });
}

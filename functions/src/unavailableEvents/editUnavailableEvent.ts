import * as z from 'zod';
import { defineEndpoint, Success } from '@tattoo-marketplace/endpoints';
import { updateEvent, UnavailableEvent } from './unavailableEvent.ts';

export const editUnavailableEvent = defineEndpoint({
  method: 'PUT',
  path: '/unavailable-events/edit-unavailable-event',
  access: 'signedIn',
  onlyFor: 'the artist who created the event',
  summary: 'Edit an unavailable event',
  description: 'Replaces the title and the times of an event.',
  body: UnavailableEvent,
  response: z
    .object({
      ...Success.shape,
      message: z.string().describe('A sentence that confirms the update.'),
    })
    .meta({ id: 'EditEventResult', description: 'The event was updated.' }),
  errors: {
    'invalid-argument': 'A field is missing or invalid.',
    'not-found': 'The event does not exist.',
  },
  example: {
    body: {
      id: 'event-mara-voss-0',
      title: 'Convention in Chicago',
      date: 1_793_000_000_000,
      startTime: 1_793_000_000_000,
      endTime: 1_793_030_000_000,
    },
    response: { success: true, message: 'The unavailable event was updated.' },
  },
  async handle({ body, caller }) {
    await updateEvent(body, caller.uid);
    return { success: true, message: 'The unavailable event was updated.' };
  },
});

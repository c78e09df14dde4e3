import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { Availability, replaceAvailability } from './availability.ts';

/** POST /availability/update-availability */
export const updateAvailability = endpoint({
  method: 'POST',
  path: '/availability/update-availability',
  access: 'signedIn',
  summary: 'Replace an availability schedule',
  description:
    "Replaces the schedule as a whole: an optional field that is not sent is removed. `createdAt` is kept, and `updatedAt` becomes the server's time.",
  body: Availability,
  response: z.object({ success: z.boolean().describe('Always true.') }),
  errors: {
    'invalid-argument': 'A field is missing or not valid.',
    'permission-denied': 'The schedule is another artist’s.',
    'not-found': 'There is no such schedule.',
  },
  example: {
    body: {
      artistId: 'artist-mara-voss',
      availabilityId: 'availability-mara-voss',
      isActive: true,
      weeklySlots: { Tuesday: [{ startTime: '10:00', endTime: '16:00' }] },
      dateRangeType: 'rolling',
      rollingDays: 30,
      effectiveFrom: 1_793_000_000_000,
      createdAt: 1_793_000_000_000,
      updatedAt: 1_793_000_000_000,
    },
    response: { success: true },
  },
  async handle({ body, caller }) {
    await replaceAvailability(body, caller.uid);
    return { success: true };
  },
});

import { defineEndpoint } from '@tattoo-marketplace/endpoints';
import { Availability, replaceAvailability } from './availability.ts';

export const updateAvailability = defineEndpoint({
  method: 'POST',
  path: '/availability/update-availability',
  access: 'signedIn',
  onlyFor: 'the artist of the schedule',
  summary: 'Replace an availability schedule',
  description:
    "Replaces the whole schedule: optional fields that are not sent are removed. `createdAt` does not change, and `updatedAt` becomes the server's time.",
  body: Availability,
  errors: {
    'invalid-argument': 'A field is missing or invalid.',
    'not-found': 'The schedule does not exist.',
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
  },
  handle: ({ body, caller }) => replaceAvailability(body, caller.uid),
});

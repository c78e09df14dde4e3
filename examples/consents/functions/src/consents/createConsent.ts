import { Created, defineEndpoint } from '@tattoo-marketplace/endpoints';
import { addConsent, BookingParams, NewConsent } from './consent.ts';

export const createConsent = defineEndpoint({
  method: 'POST',
  path: '/bookings/{bookingId}/consents/create',
  access: 'signedIn',
  onlyFor: 'the client of the booking',
  summary: 'Create a consent',
  description: 'Creates a consent to a booking.',
  createsDocument: true,
  params: BookingParams,
  body: NewConsent,
  response: Created,
  errors: { 'not-found': 'The booking does not exist.' },
  example: {
    params: { bookingId: 'booking-001' },
    body: { text: 'Yes.' },
    response: { id: '0Zs4mVwq8hGXn2LcR7Tb' },
  },
  handle: async ({ params, body, caller, newDocumentId }) => ({
    id: await addConsent(newDocumentId, params.bookingId, body, caller.uid),
  }),
});

import { defineEndpoint, pageParameters, pageResponse } from '@tattoo-marketplace/endpoints';
import { BookingParams, Consent, listConsents } from './consent.ts';

export const listByBooking = defineEndpoint({
  method: 'GET',
  path: '/bookings/{bookingId}/consents',
  access: 'signedIn',
  onlyFor: 'the artist and the client of the booking',
  summary: 'List the consents of a booking',
  description: 'Newest first, in pages.',
  params: BookingParams,
  query: pageParameters({ maxLimit: 50, defaultLimit: 20 }),
  response: pageResponse('consents', Consent).meta({
    id: 'ConsentPage',
    description: 'A page of the consents of a booking.',
  }),
  errors: { 'not-found': 'The booking does not exist.' },
  example: {
    params: { bookingId: 'booking-000' },
    query: { limit: '5' },
    response: {
      consents: [{ id: 'consent-000', text: 'Yes.' }],
      hasMore: false,
    },
  },
  handle: ({ params, query, caller }) => listConsents(params.bookingId, query, caller.uid),
});

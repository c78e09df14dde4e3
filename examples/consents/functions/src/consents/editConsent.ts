import { defineEndpoint } from '@tattoo-marketplace/endpoints';
import { ConsentNote, ConsentParams, replaceNote } from './consent.ts';

export const editConsent = defineEndpoint({
  method: 'PUT',
  path: '/bookings/{bookingId}/consents/{consentId}/edit',
  access: 'signedIn',
  onlyFor: 'the artist of the booking',
  summary: 'Edit a consent',
  description: "Replaces the artist's note.",
  params: ConsentParams,
  body: ConsentNote,
  errors: { 'not-found': 'No such consent.' },
  example: {
    params: { bookingId: 'booking-000', consentId: 'consent-000' },
    body: { note: 'Seen.' },
  },
  handle: ({ params, body, caller }) => replaceNote(params, body.note, caller.uid),
});

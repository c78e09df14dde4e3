import { defineEndpoint, Success } from '@tattoo-marketplace/endpoints';
import { ConsentName, ConsentNote, editConsent as editStored } from './consent.ts';

export const editConsent = defineEndpoint({
  method: 'PUT',
  path: '/bookings/{bookingId}/consents/{consentId}/edit',
  access: 'signedIn',
  onlyFor: 'the artist of the booking',
  summary: 'Edit a consent',
  description: "Replaces the artist's note.",
  params: ConsentName,
  body: ConsentNote,
  response: Success,
  errors: {
    'invalid-argument': 'A field is missing or invalid.',
    'not-found': 'No such consent.',
  },
  example: {
    params: { bookingId: 'booking-000', consentId: 'consent-000' },
    body: { note: 'Seen.' },
    response: { success: true },
  },
  async handle({ params, body, caller }) {
    await editStored(params, body.note, caller.uid);
    return { success: true };
  },
});

import { defineEndpoint, Success } from '@tattoo-marketplace/endpoints';
import { ConsentName, removeConsent as removeStored } from './consent.ts';

export const removeConsent = defineEndpoint({
  method: 'DELETE',
  path: '/bookings/{bookingId}/consents/{consentId}/remove',
  access: 'signedIn',
  onlyFor: 'the client who gave the consent',
  summary: 'Remove a consent',
  description: 'Removes it for good.',
  params: ConsentName,
  response: Success,
  errors: { 'invalid-argument': 'An id is invalid.', 'not-found': 'No such consent.' },
  example: {
    params: { bookingId: 'booking-001', consentId: 'consent-001' },
    response: { success: true },
  },
  async handle({ params, caller }) {
    await removeStored(params, caller.uid);
    return { success: true };
  },
});

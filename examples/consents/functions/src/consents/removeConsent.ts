import { defineEndpoint } from '@tattoo-marketplace/endpoints';
import { ConsentParams, deleteConsent } from './consent.ts';

export const removeConsent = defineEndpoint({
  method: 'DELETE',
  path: '/bookings/{bookingId}/consents/{consentId}/remove',
  access: 'signedIn',
  onlyFor: 'the client who gave the consent',
  summary: 'Remove a consent',
  description: 'Removes it for good.',
  params: ConsentParams,
  errors: { 'not-found': 'No such consent.' },
  example: {
    params: { bookingId: 'booking-001', consentId: 'consent-001' },
  },
  handle: ({ params, caller }) => deleteConsent(params, caller.uid),
});

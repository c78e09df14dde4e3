import * as z from 'zod';
import { defineEndpoint, documentId } from '@tattoo-marketplace/endpoints';
import { setStatus, Status } from './bookingRequest.ts';

export const decideBookingRequest = defineEndpoint({
  method: 'PUT',
  path: '/booking-requests/{requestId}/decide',
  access: 'signedIn',
  onlyFor: 'the artist of the request',
  summary: 'Accept or decline a booking request',
  description: 'Replaces the status. The artist may decide again.',
  params: z.object({ requestId: documentId.describe('The id of the request.') }),
  body: z
    .object({ status: Status.exclude(['requested']).describe('The decision.') })
    .meta({ id: 'BookingDecision', description: 'The decision on a booking request.' }),
  errors: { 'not-found': 'No such request.' },
  example: {
    params: { requestId: 'booking-request-0' },
    body: { status: 'accepted' },
  },
  handle: ({ params, body, caller }) => setStatus(params.requestId, body.status, caller.uid),
});

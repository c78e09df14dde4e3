import {
  defineEndpoint,
  pageParameters,
  pageResponseWithTotal,
} from '@tattoo-marketplace/endpoints';
import { BookingRequest, day, listRequests, Status } from './bookingRequest.ts';

export const listBookingRequests = defineEndpoint({
  method: 'GET',
  path: '/booking-requests',
  access: 'signedIn',
  summary: 'List your booking requests',
  description: 'The requests to the caller, by day, in pages.',
  query: pageParameters({ maxLimit: 50, defaultLimit: 20 }).extend({
    from: day.optional().describe('The first day.'),
    to: day.optional().describe('The day after the last day.'),
    status: Status.optional().describe('The status of the requests. By default, any.'),
  }),
  response: pageResponseWithTotal('bookingRequests', BookingRequest, 'requests').meta({
    id: 'BookingRequestPage',
    description: 'A page of booking requests.',
  }),
  example: {
    query: { from: '2026-10-01', to: '2026-11-01', status: 'requested' },
    response: {
      bookingRequests: [{ id: 'booking-request-0', day: '2026-10-15', status: 'requested' }],
      total: 1,
      hasMore: false,
    },
  },
  handle: ({ query, caller }) => listRequests(caller.uid, query),
});

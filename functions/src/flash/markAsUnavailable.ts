import { endpoint } from '../http/endpoint.ts';
import { markListings } from './flashListing.ts';
import { markContract } from './markContract.ts';

/** PUT /flash/mark-as-unavailable */
export const markAsUnavailable = endpoint({
  ...markContract,
  method: 'PUT',
  path: '/flash/mark-as-unavailable',
  access: 'signedIn',
  summary: 'Mark flash listings as unavailable',
  description:
    'Makes listings unavailable for booking, all of them or none. Only their own artist can.',
  async handle({ body, caller }) {
    return { success: true, updatedCount: await markListings(body.flashIds, false, caller.uid) };
  },
});

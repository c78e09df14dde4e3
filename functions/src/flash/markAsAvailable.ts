import { endpoint } from '../http/endpoint.ts';
import { markListings } from './flashListing.ts';
import { markContract } from './markContract.ts';

export const markAsAvailable = endpoint({
  ...markContract,
  method: 'PUT',
  path: '/flash/mark-as-available',
  access: 'signedIn',
  summary: 'Mark flash listings as available',
  description:
    'Makes all of the listings available for booking, or none. Only their artist may do this.',
  async handle({ body, caller }) {
    return { success: true, updatedCount: await markListings(body.flashIds, true, caller.uid) };
  },
});

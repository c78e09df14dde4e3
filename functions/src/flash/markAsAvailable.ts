import { endpoint } from '@tattoo-marketplace/endpoints';
import { markListings } from './flashListing.ts';
import { markDeclaration } from './markDeclaration.ts';

export const markAsAvailable = endpoint({
  ...markDeclaration,
  method: 'PUT',
  path: '/flash/mark-as-available',
  summary: 'Mark flash listings as available',
  description: 'Makes all of the listings available for booking, or none.',
  async handle({ body, caller }) {
    return { success: true, updatedCount: await markListings(body.flashIds, true, caller.uid) };
  },
});

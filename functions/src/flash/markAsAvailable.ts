import { defineEndpoint } from '@tattoo-marketplace/endpoints';
import { markListings } from './flashListing.ts';
import { markDeclaration } from './markDeclaration.ts';

export const markAsAvailable = defineEndpoint({
  ...markDeclaration,
  method: 'PUT',
  path: '/flash/mark-as-available',
  summary: 'Mark flash listings as available',
  description: 'Makes the listings available for booking: all of them, or none if one fails.',
  async handle({ body, caller }) {
    return { success: true, updatedCount: await markListings(body.flashIds, true, caller.uid) };
  },
});

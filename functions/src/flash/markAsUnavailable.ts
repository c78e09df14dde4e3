import { defineEndpoint } from '@tattoo-marketplace/endpoints';
import { markListings } from './flashListing.ts';
import { markDeclaration } from './markDeclaration.ts';

export const markAsUnavailable = defineEndpoint({
  ...markDeclaration,
  method: 'PUT',
  path: '/flash/mark-as-unavailable',
  summary: 'Mark flash listings as unavailable',
  description: 'Makes all of the listings unavailable for booking, or none.',
  async handle({ body, caller }) {
    return { success: true, updatedCount: await markListings(body.flashIds, false, caller.uid) };
  },
});

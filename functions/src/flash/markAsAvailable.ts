import { defineEndpoint } from '@tattoo-marketplace/endpoints';
import { setListingsAvailable } from './flashListing.ts';
import { markEndpointOptions } from './markEndpointOptions.ts';

export const markAsAvailable = defineEndpoint({
  ...markEndpointOptions,
  method: 'PUT',
  path: '/flash/mark-as-available',
  summary: 'Mark flash listings as available',
  description: 'Makes the listings available for booking: all of them, or none if one fails.',
  async handle({ body, caller }) {
    return {
      success: true,
      updatedCount: await setListingsAvailable(body.flashIds, true, caller.uid),
    };
  },
});

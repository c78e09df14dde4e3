import { defineEndpoint } from '@tattoo-marketplace/endpoints';
import { setListingsAvailable } from './flashListing.ts';
import { markEndpointOptions } from './markEndpointOptions.ts';

export const markAsUnavailable = defineEndpoint({
  ...markEndpointOptions,
  method: 'PUT',
  path: '/flash/mark-as-unavailable',
  summary: 'Mark flash listings as unavailable',
  description: 'Makes all of the listings unavailable for booking, or none.',
  async handle({ body, caller }) {
    return {
      success: true,
      updatedCount: await setListingsAvailable(body.flashIds, false, caller.uid),
    };
  },
});

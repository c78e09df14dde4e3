import { Created, defineEndpoint } from '@tattoo-marketplace/endpoints';
import { addReview, NewReview } from './review.ts';

export const createReview = defineEndpoint({
  method: 'POST',
  path: '/reviews/create-review',
  access: 'signedIn',
  summary: 'Create a review',
  description: 'Creates a review by the caller.',
  createsDocument: true,
  body: NewReview,
  response: Created,
  example: {
    body: { artistId: 'artist-theo-okafor', rating: 4 },
    response: { id: '0Zs4mVwq8hGXn2LcR7Tb' },
  },
  handle: async ({ body, caller, newDocumentId }) => ({
    id: await addReview(newDocumentId, body, caller.uid),
  }),
});

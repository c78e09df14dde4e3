import { defineEndpoint } from '@tattoo-marketplace/endpoints';
import { deleteReview, RemoveReviewRequest } from './review.ts';

export const removeReview = defineEndpoint({
  method: 'POST',
  path: '/reviews/remove-review',
  access: 'signedIn',
  onlyFor: 'the client who wrote the review',
  summary: 'Remove a review',
  description: 'Removes it for good.',
  body: RemoveReviewRequest,
  errors: { 'not-found': 'No such review.' },
  example: { body: { reviewId: 'review-theo-okafor-0' } },
  handle: ({ body, caller }) => deleteReview(body.reviewId, caller.uid),
});

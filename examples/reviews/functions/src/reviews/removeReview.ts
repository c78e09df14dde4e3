import { defineEndpoint, Success } from '@tattoo-marketplace/endpoints';
import { removeReview as removeStored, ReviewName } from './review.ts';

export const removeReview = defineEndpoint({
  method: 'POST',
  path: '/reviews/remove-review',
  access: 'signedIn',
  onlyFor: 'the client who wrote the review',
  summary: 'Remove a review',
  description: 'Removes it for good.',
  body: ReviewName,
  response: Success,
  errors: { 'invalid-argument': 'The id is invalid.', 'not-found': 'No such review.' },
  example: { body: { reviewId: 'review-theo-okafor-0' }, response: { success: true } },
  async handle({ body, caller }) {
    await removeStored(body.reviewId, caller.uid);
    return { success: true };
  },
});

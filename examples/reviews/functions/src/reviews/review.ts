import * as z from 'zod';
import {
  defineCollection,
  createOwned,
  deleteOwned,
  readPageWithTotal,
  storedTime,
  type PageRequest,
} from '@tattoo-marketplace/collections';
import { documentId, safeInteger } from '@tattoo-marketplace/endpoints';

/** A review as it is read. */
const Review = z.object({
  id: z.string().describe('The id of the review.'),
  artistId: z.string().optional().describe('The artist.'),
  clientId: z.string().optional().describe('The client who wrote it.'),
  rating: safeInteger.optional().describe('From 1 to 5.'),
  createdAt: storedTime.optional().describe('When it was written.'),
});

/** A review in the list: it has an `artistId`. */
export const ListedReview = Review.required({ artistId: true }).meta({
  id: 'Review',
  description: 'How a client rates an artist.',
});

const rating = z.int().min(1).max(5).describe('The rating.');

/** A review to create. */
export const NewReview = z
  .object({ artistId: documentId.describe('The id of the artist.'), rating })
  .meta({ id: 'NewReview', description: 'A review to create.' });

/** The review to remove. */
export const RemoveReviewRequest = z
  .object({ reviewId: documentId.describe('The id of the review.') })
  .meta({ id: 'RemoveReviewRequest', description: 'The review to remove.' });

export const reviews = defineCollection('reviews', {
  description: 'How clients rate artists.',
  schema: Review,
  owner: 'clientId',
});
const newestFirst = reviews.definePagedList({
  item: ListedReview,
  filterBy: ['artistId'],
  orderBy: 'createdAt',
  descending: true,
});

/** A page of an artist's reviews. */
export async function listReviews(artistId: string, page: PageRequest) {
  const { items, ...position } = await readPageWithTotal(newestFirst, { artistId }, page);
  return { reviews: items, ...position };
}

/** Adds a review with this id, and returns the id. */
export async function addReview(id: string, review: z.infer<typeof NewReview>, callerId: string) {
  return createOwned({ collection: reviews, id, callerId }, review, ['createdAt']);
}

/** Deletes a review of the caller. */
export async function deleteReview(reviewId: string, callerId: string) {
  await deleteOwned({ collection: reviews, documents: [{ reviewId }], callerId });
}

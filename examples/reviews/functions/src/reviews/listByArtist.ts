import * as z from 'zod';
import {
  documentId,
  defineEndpoint,
  pageParameters,
  pageResponseWithTotal,
} from '@tattoo-marketplace/endpoints';
import { pageCacheSeconds } from '../parameters.ts';
import { ListedReview, listReviews } from './review.ts';

export const listByArtist = defineEndpoint({
  method: 'GET',
  path: '/reviews/artist/{artistId}/paginated',
  access: 'public',
  summary: "List an artist's reviews",
  description: 'Newest first, in pages.',
  params: z.object({ artistId: documentId.describe('The id of the artist.') }),
  cacheSeconds: pageCacheSeconds,
  query: pageParameters({ maxLimit: 50, defaultLimit: 20 }),
  response: pageResponseWithTotal('reviews', ListedReview).meta({
    id: 'ReviewPage',
    description: "A page of an artist's reviews.",
  }),
  example: {
    params: { artistId: 'artist-mara-voss' },
    query: { limit: '5' },
    response: {
      reviews: [{ id: 'review-mara-voss-0', artistId: 'artist-mara-voss', rating: 5 }],
      total: 1,
      hasMore: false,
    },
  },
  handle: ({ params, query }) => listReviews(params.artistId, query),
});

import * as z from 'zod';
import {
  documentId,
  defineEndpoint,
  pageParameters,
  pageResponseWithTotal,
} from '@tattoo-marketplace/endpoints';
import { pageCacheSeconds } from '../parameters.ts';
import { listVisibleFlash, VisibleListing } from './flashListing.ts';

export const listByArtist = defineEndpoint({
  method: 'GET',
  path: '/flash/artist/{id}/paginated',
  access: 'public',
  summary: "List an artist's flash",
  description:
    "The artist's visible listings (`isVisible` is true), available or not, ordered by `order`, then ID, in pages. Listings without `order` are not included, nor counted in `total`. The artist need not be verified. Unknown artists have an empty list.",
  params: z.object({ id: documentId.describe('The id of the artist.') }),
  cacheSeconds: pageCacheSeconds,
  keepWarm: true,
  query: pageParameters({ maxLimit: 50, defaultLimit: 20 }),
  response: pageResponseWithTotal('flash', VisibleListing, 'listings').meta({
    id: 'FlashPage',
    description: "A page of an artist's flash listings.",
  }),
  errors: { 'invalid-argument': 'The id, the limit or the cursor is invalid.' },
  example: {
    params: { id: 'artist-mara-voss' },
    query: { limit: '5' },
    response: {
      flash: [
        {
          id: 'flash-mara-voss-000',
          artistId: 'artist-mara-voss',
          artistName: 'Mara Voss',
          price: { type: 'fixed', amount: '180' },
          size: { unit: 'in', minSize: '2', maxSize: '4' },
          styles: ['blackwork'],
          isAvailable: true,
          isVisible: true,
          updatedAt: 1_793_000_000_000,
          order: 0,
        },
      ],
      total: 52,
      hasMore: true,
      nextCursor: 'flash-mara-voss-000',
    },
  },
  handle: ({ params, query }) => listVisibleFlash(params.id, query),
});

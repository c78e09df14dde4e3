import * as z from 'zod';
import {
  documentId,
  endpoint,
  pageFields,
  pageParameters,
  wholeNumber,
} from '@tattoo-marketplace/endpoints';
import { pageCacheSeconds } from '../parameters.ts';
import { listVisibleFlash, VisibleListing } from './flashListing.ts';

export const listByArtist = endpoint({
  method: 'GET',
  path: '/flash/artist/{id}/paginated',
  access: 'public',
  summary: "List an artist's flash",
  description:
    "The artist's listings with `isVisible` true, whether available or not, by `order`, then id, in pages. Not in the list, nor in `total`: other listings, and those without `order`. Whether the artist is verified makes no difference. The list of an unknown artist is empty.",
  params: z.object({ id: documentId.describe('The id of the artist.') }),
  cacheSeconds: pageCacheSeconds,
  isWarm: true,
  query: pageParameters({ max: 50, fallback: 20 }),
  response: z
    .object({
      flash: z.array(VisibleListing).describe('The listings on this page.'),
      total: wholeNumber.describe('The number of listings on all pages.'),
      ...pageFields,
    })
    .meta({ id: 'FlashPage', description: "A page of an artist's flash listings." }),
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

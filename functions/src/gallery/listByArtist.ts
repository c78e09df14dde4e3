import * as z from 'zod';
import {
  documentId,
  defineEndpoint,
  pageParameters,
  pageResponseWithTotal,
} from '@tattoo-marketplace/endpoints';
import { pageCacheSeconds } from '../parameters.ts';
import { listVisiblePhotos, VisiblePhoto } from './galleryPhoto.ts';

export const listByArtist = defineEndpoint({
  method: 'GET',
  path: '/gallery/artist/{artistId}/paginated',
  access: 'public',
  summary: "List an artist's gallery",
  description:
    "The artist's photos with `isVisible` true, by `order`, then id, in pages. Not in the list, nor in `total`: other photos, and those without `order`. Unverified artists have a list too. The list of an unknown artist is empty.",
  params: z.object({ artistId: documentId.describe('The id of the artist.') }),
  cacheSeconds: pageCacheSeconds,
  keepWarm: true,
  query: pageParameters({ maxLimit: 50, defaultLimit: 20 }),
  response: pageResponseWithTotal('photos', VisiblePhoto).meta({
    id: 'GalleryPage',
    description: "A page of an artist's gallery photos.",
  }),
  errors: { 'invalid-argument': 'The id, the limit or the cursor is invalid.' },
  example: {
    params: { artistId: 'artist-mara-voss' },
    query: { limit: '5' },
    response: {
      photos: [
        {
          id: 'photo-mara-voss-000',
          artistId: 'artist-mara-voss',
          artistName: 'Mara Voss',
          url: 'https://images.example.com/gallery/000.jpg',
          order: 0,
          uploadedAt: 1_793_000_000_000,
          isVisible: true,
          tags: ['healed'],
        },
      ],
      total: 30,
      hasMore: true,
      nextCursor: 'photo-mara-voss-000',
    },
  },
  handle: ({ params, query }) => listVisiblePhotos(params.artistId, query),
});

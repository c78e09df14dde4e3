import * as z from 'zod';
import { defineEndpoint, documentIdList } from '@tattoo-marketplace/endpoints';
import { BULK_WRITE_CONCURRENCY, MAX_DOCUMENTS_PER_REQUEST } from '../bulkWrites.ts';
import { deletePhotos } from './galleryPhoto.ts';

export const removePhotos = defineEndpoint({
  method: 'DELETE',
  path: '/gallery/remove-photos',
  access: 'signedIn',
  concurrency: BULK_WRITE_CONCURRENCY,
  onlyFor: 'the artist who owns all of the photos',
  summary: 'Remove gallery photos',
  description:
    'Deletes all of the photos or none. If your HTTP client or a proxy drops the body of a DELETE, send up to 100 ids as repeated query parameters instead: `?photoIds=a&photoIds=b`.',
  body: z
    .object({
      photoIds: documentIdList(MAX_DOCUMENTS_PER_REQUEST).describe(
        'The ids of the photos; a repeated id counts once.',
      ),
    })
    .meta({ id: 'RemovePhotosRequest', description: 'The photos to delete.' }),
  allowBodyInQuery: true,
  errors: {
    'invalid-argument': 'The list of ids is missing or invalid.',
    'not-found': 'A photo does not exist.',
  },
  example: { body: { photoIds: ['photo-mara-voss-032'] } },
  handle: ({ body, caller }) => deletePhotos(body.photoIds, caller.uid),
});

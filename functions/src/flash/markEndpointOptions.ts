import * as z from 'zod';
import { documentIdList, Success, safeInteger } from '@tattoo-marketplace/endpoints';
import { BULK_WRITE_CONCURRENCY, MAX_DOCUMENTS_PER_REQUEST } from '../bulkWrites.ts';

/** The options that `markAsAvailable` and `markAsUnavailable` share. */
export const markEndpointOptions = {
  access: 'signedIn',
  onlyFor: 'the artist who owns all of the listings',
  concurrency: BULK_WRITE_CONCURRENCY,
  body: z
    .object({
      flashIds: documentIdList(MAX_DOCUMENTS_PER_REQUEST).describe(
        'The ids of the listings; a repeated id counts once.',
      ),
    })
    .meta({ id: 'MarkRequest', description: 'The listings to mark.' }),
  response: z
    .object({
      ...Success.shape,
      updatedCount: safeInteger.describe('The number of listings named in the request.'),
    })
    .meta({ id: 'MarkResult', description: 'The listings were marked.' }),
  errors: {
    'invalid-argument': 'The list of ids is missing or invalid.',
    'not-found': 'A listing does not exist.',
  },
  example: {
    body: { flashIds: ['flash-mara-voss-000', 'flash-mara-voss-001'] },
    response: { success: true, updatedCount: 2 },
  },
} as const;

import * as z from 'zod';
import { boundedDocumentList, documentId, defineEndpoint } from '@tattoo-marketplace/endpoints';
import { BULK_WRITE_CONCURRENCY, MAX_DOCUMENTS_PER_REQUEST } from '../bulkWrites.ts';
import { reorderListings } from './flashListing.ts';

const flashUpdates = boundedDocumentList(
  z
    .object({
      id: documentId.describe('The id of a listing.'),
      order: z
        .number({
          error: ({ input }) => (input === undefined ? 'is required' : 'must be a finite number'),
        })
        .describe(
          'The new position of the listing: any number, so that one between two others moves it between them.',
        ),
    })
    .meta({ id: 'FlashUpdate', description: 'A listing and its new position.' }),
  { max: MAX_DOCUMENTS_PER_REQUEST, noun: 'entries' },
).superRefine((updates, context) => {
  const seen = new Set<string>();
  updates.forEach(({ id }, index) => {
    if (seen.has(id)) {
      const path = [index, 'id'];
      context.addIssue({ code: 'custom', message: 'must not be repeated', path, input: id });
    }
    seen.add(id);
  });
});

export const reorder = defineEndpoint({
  method: 'PUT',
  path: '/flash/reorder',
  access: 'signedIn',
  onlyFor: 'the artist who owns all of the listings',
  concurrency: BULK_WRITE_CONCURRENCY,
  summary: 'Reorder flash listings',
  description: 'Changes the `order` of listings, all of them or none.',
  body: z
    .object({ flashUpdates: flashUpdates.describe('The listings and their new positions.') })
    .meta({ id: 'ReorderRequest', description: 'The new order of some listings.' }),
  errors: {
    'invalid-argument': 'A field is missing or invalid, or a listing is named twice.',
    'not-found': 'A listing does not exist.',
  },
  example: {
    body: {
      flashUpdates: [
        { id: 'flash-mara-voss-001', order: 0 },
        { id: 'flash-mara-voss-000', order: 1 },
      ],
    },
  },
  handle: ({ body, caller }) => reorderListings(body.flashUpdates, caller.uid),
});

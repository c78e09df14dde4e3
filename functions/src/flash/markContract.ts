import * as z from 'zod';
import { idList, wholeNumber } from '../fields.ts';

/** The parts of the declaration that mark-as-available and mark-as-unavailable share. */
export const markContract = {
  body: z.object({
    flashIds: idList.describe('The ids of 1 to 500 listings; a repeated id counts once.'),
  }),
  response: z.object({
    success: z.boolean().describe('Always true.'),
    updatedCount: wholeNumber.describe('The number of listings named in the request.'),
  }),
  errors: {
    'invalid-argument': 'The list of ids is missing or invalid.',
    'permission-denied': 'A listing belongs to another artist.',
    'not-found': 'A listing does not exist.',
  },
  example: {
    body: { flashIds: ['flash-mara-voss-000', 'flash-mara-voss-001'] },
    response: { success: true, updatedCount: 2 },
  },
} as const;

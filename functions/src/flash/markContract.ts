import * as z from 'zod';
import { idList, wholeNumber } from '../fields.ts';

/** What mark-as-available and mark-as-unavailable take, answer and refuse alike. */
export const markContract = {
  body: z.object({
    flashIds: idList.describe('The ids of 1 to 500 listings; one that is repeated counts once.'),
  }),
  response: z.object({
    success: z.boolean().describe('Always true.'),
    updatedCount: wholeNumber.describe('How many listings were named.'),
  }),
  errors: {
    'invalid-argument': 'The list of ids is missing or not valid.',
    'permission-denied': 'A listing is another artist’s.',
    'not-found': 'A listing does not exist.',
  },
  example: {
    body: { flashIds: ['flash-mara-voss-000', 'flash-mara-voss-001'] },
    response: { success: true, updatedCount: 2 },
  },
} as const;

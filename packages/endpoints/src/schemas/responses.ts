import * as z from 'zod';

/** The response of an operation without a result, and the default of endpoints. */
export const Success = z
  .object({ success: z.boolean().describe('Always true.') })
  .meta({ id: 'Success', description: 'The operation was carried out.' });

/** The response of an operation that creates a document. */
export const Created = z
  .object({ id: z.string().describe('The id of the new document.') })
  .meta({ id: 'Created', description: 'The document was created.' });

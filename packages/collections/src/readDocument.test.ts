import * as z from 'zod';
import { defineCollection } from './defineCollection.ts';
import { readDocument } from './readDocument.ts';
import {
  respondBatchGet,
  respondCommit,
  toDocumentName,
  useStubFirestore,
} from '../../../test/support/google/stubFirestore.ts';

const firestore = useStubFirestore();

const parts = defineCollection('things/{thingId}/parts', {
  description: 'Parts of things.',
  schema: z.object({
    id: z.string(),
    tags: z.array(z.string()).optional().describe('A field of this test.'),
  }),
});
const PART = {
  collection: parts,
  params: { thingId: 't' },
  document: { partId: 'p' },
};
const PATH = 'things/t/parts/p';

test('reads the requested fields, and decodes them', async () => {
  const tags = { arrayValue: { values: [{ stringValue: 'a' }] } };
  firestore.setResponses(respondBatchGet({ [PATH]: { tags } }));

  const part = await firestore.runInRequest(() => readDocument(PART, ['tags']));

  expect(part).toEqual({ id: 'p', tags: ['a'] });
  expect(firestore.requests[0]?.body).toMatchObject({
    documents: [toDocumentName(PATH)],
    mask: { fieldPaths: ['tags'] },
  });
});

test('throws not-found, with the field that refers to the document', async () => {
  firestore.setResponses(respondBatchGet({ [PATH]: undefined }));

  await expect(firestore.runInRequest(() => readDocument(PART, ['tags']))).rejects.toMatchObject({
    code: 'not-found',
    message: 'partId refers to a document that does not exist.',
  });
});

test('sends nothing if a path parameter is missing', async () => {
  firestore.setResponses(respondCommit());
  const read = () => readDocument({ ...PART, params: {} }, ['tags']);

  await expect(firestore.runInRequest(read)).rejects.toThrow(
    'things/{thingId}/parts needs a document ID as the parameter thingId.',
  );
  expect(firestore.requests).toEqual([]);
});

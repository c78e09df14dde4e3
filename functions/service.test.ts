import { COLLECTIONS } from './service.ts';

const UNLISTED_VALUE = 'not in the specification';

// "Enums with one listed value" in docs/decisions.md.
test.each([
  {
    path: 'flash',
    document: {
      source: UNLISTED_VALUE,
      sourceData: { mediaType: UNLISTED_VALUE },
      price: { type: UNLISTED_VALUE },
      size: { unit: UNLISTED_VALUE },
    },
  },
  {
    path: 'gallery',
    document: { source: UNLISTED_VALUE, sourceData: { mediaType: UNLISTED_VALUE } },
  },
  { path: 'users', document: { artistInfo: { bookingFaqs: [{ type: UNLISTED_VALUE }] } } },
  { path: 'conversations/{conversationId}/messages', document: { type: UNLISTED_VALUE } },
])('the schema of $path accepts values that the specification does not list', (row) => {
  const collection = COLLECTIONS.find(({ path }) => path === row.path);

  expect(collection?.schema.parse({ id: 'a', ...row.document })).toMatchObject(row.document);
});

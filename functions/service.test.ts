import { COLLECTIONS } from './service.ts';

const OTHER = 'not in the specification';

// "Enums with one listed value" in docs/decisions.md.
test.each([
  {
    path: 'flash',
    document: {
      source: OTHER,
      sourceData: { mediaType: OTHER },
      price: { type: OTHER },
      size: { unit: OTHER },
    },
  },
  { path: 'gallery', document: { source: OTHER, sourceData: { mediaType: OTHER } } },
  { path: 'users', document: { artistInfo: { bookingFaqs: [{ type: OTHER }] } } },
  { path: 'conversations/{conversationId}/messages', document: { type: OTHER } },
])('documents of $path may have other values than those that the specification lists', (row) => {
  const collection = COLLECTIONS.find(({ path }) => path === row.path);

  expect(collection?.schema.parse({ id: 'a', ...row.document })).toMatchObject(row.document);
});

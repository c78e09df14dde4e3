/** Valid and invalid document IDs. test/service/validationMessages.test.ts tests lists of IDs, and times. */
import * as z from 'zod';
import {
  boundedDocumentList,
  documentId,
  isDocumentId,
  isDocumentIdSchema,
} from './documentIds.ts';
import { validate } from './validate.ts';

test.each([
  'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7',
  'x',
  '..a',
  'a b?c#d&e=f%',
  'a\nb',
  '__x',
  'x__',
  'x__y__',
  '__x__y',
  'é'.repeat(750),
])('accepts the document ID %j', (id) => {
  expect(isDocumentId(id)).toBe(true);
});

test.each([
  '',
  '.',
  '..',
  '/',
  'a/b',
  'a/private/k',
  '../users/a',
  'a\ud800',
  '__x__',
  '____',
  '__a\nb__',
  `${'é'.repeat(750)}a`,
])('rejects the document ID %j', (id) => {
  expect(isDocumentId(id)).toBe(false);
});

test('rejects a list of too many IDs without validating its items', () => {
  const item = z.custom<string>(() => {
    throw new Error('An item was validated.');
  });
  const ids = Array.from({ length: 501 }, (_, index) => `id-${index}`);
  const schema = z.object({ ids: boundedDocumentList(item, { max: 500, noun: 'ids' }) });

  expect(() => validate(schema, { ids })).toThrow('ids must have 1 to 500 ids.');
});

test.each([
  { name: 'a document ID', schema: documentId, isMarked: true },
  {
    name: 'an optional document ID with a description',
    schema: documentId.optional().describe('An ID.'),
    isMarked: true,
  },
  { name: 'another string', schema: z.string(), isMarked: false },
])('isDocumentIdSchema returns $isMarked for $name', ({ schema, isMarked }) => {
  expect(isDocumentIdSchema(schema)).toBe(isMarked);
});

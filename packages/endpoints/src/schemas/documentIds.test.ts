/** Valid and invalid document ids. test/service/validationMessages.test.ts has lists of ids, and times. */
import * as z from 'zod';
import { boundedDocumentList, isDocumentId } from './documentIds.ts';
import { validate } from '../request/validate.ts';

test.each([
  ['accepts', ['aB3dE6gH9jK2mN5pQ8sT1vW4yZ7', 'x', '..a', 'a b?c#d&e=f%', 'a\nb']],
  ['accepts', ['__x', 'x__', 'x__y__', '__x__y', 'é'.repeat(750)]],
  ['rejects', ['', '.', '..', '/', 'a/b', 'a/private/k', '../users/a', 'a\ud800']],
  ['rejects', ['__x__', '____', '__a\nb__', `${'é'.repeat(750)}a`]],
])('%s as document ids: %j', (verb, texts) => {
  expect(texts.filter((text) => isDocumentId(text) !== (verb === 'accepts'))).toEqual([]);
});

test('a list of ids that is too long is rejected without validating its elements', () => {
  const element = z.custom<string>(() => {
    throw new Error('An element was validated.');
  });
  const ids = Array.from({ length: 501 }, (_, index) => `id-${index}`);

  expect(() =>
    validate(z.object({ ids: boundedDocumentList(element, { max: 500, noun: 'ids' }) }), { ids }),
  ).toThrow('ids must have 1 to 500 ids.');
});

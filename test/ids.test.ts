/** Which texts are ids; test/service/bodies has lists of ids, and times. */
import * as z from 'zod';
import { boundedList, isDocumentId } from '../functions/src/ids.ts';
import { validated } from '../functions/src/http/input.ts';

test.each([
  [true, ['aB3dE6gH9jK2mN5pQ8sT1vW4yZ7', 'x', '..a', 'a b?c#d&e=f%', 'a\nb']],
  [true, ['__x', 'x__', 'x__y__', '__x__y', 'é'.repeat(750)]],
  [false, ['', '.', '..', '/', 'a/b', 'a/private/k', '../users/a', 'a\ud800']],
  [false, ['__x__', '____', '__a\nb__', `${'é'.repeat(750)}a`]],
])('can be a document id: %s for %j', (isPossible, texts) => {
  expect(texts.filter((text) => isDocumentId(text) !== isPossible)).toEqual([]);
});

test('a list of ids that is too long is refused without validating its elements', () => {
  const element = z.custom(() => {
    throw new Error('An element was validated.');
  });
  const ids = Array.from({ length: 501 }, (_, index) => `id-${index}`);

  expect(() => validated(z.object({ ids: boundedList(element, 'ids') }), { ids })).toThrow(
    'ids must have 1 to 500 ids.',
  );
});

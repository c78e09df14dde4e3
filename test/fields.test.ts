import * as z from 'zod';
import { idList, isDocumentId, boundedList, requestTime } from '../functions/src/fields.ts';
import { validated } from '../functions/src/http/validation.ts';

test.each([
  [true, ['aB3dE6gH9jK2mN5pQ8sT1vW4yZ7', 'x', '..a', 'a b?c#d&e=f%', 'a\nb']],
  [true, ['__x', 'x__', 'x__y__', '__x__y', 'é'.repeat(750)]],
  [false, ['', '.', '..', '/', 'a/b', 'a/private/k', '../users/a', 'a\ud800']],
  [false, ['__x__', '____', '__a\nb__', `${'é'.repeat(750)}a`]],
])('can be a document id: %s for %j', (isPossible, texts) => {
  expect(texts.filter((text) => isDocumentId(text) !== isPossible)).toEqual([]);
});

describe('a list of ids', () => {
  const schema = z.object({ ids: idList });
  const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`);

  test.each([1, 500])('may have %i', (count) => {
    expect(validated(schema, { ids: idsOf(count) })).toEqual({ ids: idsOf(count) });
  });

  test.each<[string | RegExp, readonly unknown[]]>([
    ['ids is required.', [undefined]],
    ['ids must be an array.', [null, 'a', { length: 1, 0: 'a' }]],
    ['ids must have 1 to 500 ids.', [idsOf(0), idsOf(501)]],
    [/^ids\[1\] must be an id/, [['a', 'b/c']]],
    [
      'ids[1] must be a string.',
      [7, null, true, [], ['a'], {}, { $ne: null }, { toString: 'a' }, { length: 1 }].map((id) => [
        'a',
        id,
      ]),
    ],
  ])('is refused: “%s”', (message, lists) => {
    for (const ids of lists) expect(() => validated(schema, { ids })).toThrow(message);
  });

  test('is refused without validating its elements if it is too long', () => {
    const element = z.custom(() => {
      throw new Error('An element was validated.');
    });

    expect(() =>
      validated(z.object({ ids: boundedList(element, 'ids') }), { ids: idsOf(501) }),
    ).toThrow('ids must have 1 to 500 ids.');
  });
});

describe('a time in a request', () => {
  const schema = z.object({ time: requestTime });
  const expected = 'a time: a number of milliseconds since the Unix epoch, UTC';

  test.each([0, -1, 1.5, 8.64e15, -8.64e15])('may be %d', (time) => {
    expect(validated(schema, { time })).toEqual({ time });
  });

  test.each([
    ...[8.64e15 + 2, -8.64e15 - 2, 1e300].map((time) => [time, expected]),
    ...['1', null, true, Infinity].map((time) => [time, 'a number']),
  ])('may not be %j: it must be %s', (time, kind) => {
    expect(() => validated(schema, { time })).toThrow(`time must be ${String(kind)}.`);
  });
});

import * as z from 'zod';
import { idList, isDocumentId, boundedList, requestTime } from '../functions/src/fields.ts';
import { validated } from '../functions/src/http/validation.ts';

describe('isDocumentId', () => {
  test.each([
    ['a Firebase uid', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7'],
    ['one character', 'x'],
    ['dots between other characters', '..a'],
    ['spaces and signs', 'a b?c#d&e=f%'],
    ['1500 bytes', 'é'.repeat(750)],
    ['a line break', 'a\nb'],
    ['underscores at the start', '__x'],
    ['underscores at the end', 'x__'],
    ['underscores in the middle and at the end', 'x__y__'],
    ['underscores at the start and in the middle', '__x__y'],
  ])('accepts %s', (_what, id) => {
    expect(isDocumentId(id)).toBe(true);
  });

  test.each([
    ['an empty string', ''],
    ['a dot', '.'],
    ['two dots', '..'],
    ['a slash', 'a/b'],
    ['a path to a subdocument', 'a/private/k'],
    ['a slash alone', '/'],
    ['a path upwards', '../users/a'],
    ['a reserved id', '__x__'],
    ['only underscores', '____'],
    ['a reserved id with line breaks', '__a\nb__'],
    ['1501 bytes', `${'é'.repeat(750)}a`],
    ['an unpaired surrogate', 'a\ud800'],
  ])('refuses %s', (_what, id) => {
    expect(isDocumentId(id)).toBe(false);
  });
});

describe('a list of ids', () => {
  const schema = z.object({ ids: idList });
  const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`);

  test.each([1, 500])('accepts %i', (count) => {
    expect(validated(schema, { ids: idsOf(count) })).toEqual({ ids: idsOf(count) });
  });

  test.each([0, 501])('refuses %i', (count) => {
    expect(() => validated(schema, { ids: idsOf(count) })).toThrow('ids must have 1 to 500 ids.');
  });

  test.each<[unknown, string | RegExp]>([
    [undefined, 'ids is required.'],
    [null, 'ids must be an array.'],
    ['a', 'ids must be an array.'],
    [{ length: 1, 0: 'a' }, 'ids must be an array.'],
    [['a', 7], 'ids[1] must be a string.'],
    [['a', 'b/c'], /^ids\[1\] must be an id/],
    ...[null, true, [], ['a'], {}, { $ne: null }, { toString: 'a' }, { length: 1 }].map(
      (id): [unknown, string] => [['a', id], 'ids[1] must be a string.'],
    ),
  ])('refuses %j', (ids, message) => {
    expect(() => validated(schema, { ids })).toThrow(message);
  });

  test('validates no element of a list that is too long', () => {
    const element = z.custom(() => {
      throw new Error('An element was validated.');
    });

    expect(() =>
      validated(z.object({ ids: boundedList(element, 'ids') }), { ids: idsOf(501) }),
    ).toThrow('ids must have 1 to 500 ids.');
  });
});

describe('a time in a request', () => {
  test.each([0, -1, 1.5, 8.64e15, -8.64e15])('may be %d', (time) => {
    expect(validated(z.object({ time: requestTime }), { time })).toEqual({ time });
  });

  test.each([8.64e15 + 2, -8.64e15 - 2, 1e300])('may not be %d', (time) => {
    expect(() => validated(z.object({ time: requestTime }), { time })).toThrow(
      'time must be a time: a number of milliseconds since the Unix epoch, UTC.',
    );
  });

  test.each(['1', null, true, Infinity])('may not be %j', (time) => {
    expect(() => validated(z.object({ time: requestTime }), { time })).toThrow(
      'time must be a number.',
    );
  });
});

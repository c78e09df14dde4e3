import { entityTag, namesTag } from '../../functions/src/http/entityTag.ts';

test('two bodies have the same tag only when they are the same', () => {
  expect(entityTag('[]')).toBe(entityTag('[]'));
  expect(entityTag('[]')).not.toBe(entityTag('{}'));
});

describe('If-None-Match', () => {
  test.each(['"a"', 'W/"a"', '"b", "a"', '"b",W/"a"', '*'])('names the tag: %s', (header) => {
    expect(namesTag(header, '"a"')).toBe(true);
  });

  test.each([undefined, '', 'a', '"b"', '"a', 'w/"a"', '"a" "b"'])(
    'does not name the tag: %s',
    (header) => {
      expect(namesTag(header, '"a"')).toBe(false);
    },
  );
});

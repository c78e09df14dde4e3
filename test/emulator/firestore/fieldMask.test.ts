import { fieldPathSegments, masked } from './fieldMask.ts';
import type { Value } from './messages.ts';

describe('fieldPathSegments', () => {
  test.each([
    ['a', ['a']],
    ['a.b_1.C', ['a', 'b_1', 'C']],
    ['`a.b`.c', ['a.b', 'c']],
    ['a.`b\\`c`', ['a', 'b`c']],
    ['`\\\\`', ['\\']],
    ['`é ü`', ['é ü']],
  ])('splits %s', (path, segments) => {
    expect(fieldPathSegments(path)).toEqual(segments);
  });
});

describe('masked', () => {
  const leaf: Value = { mapValue: null };
  const document = {
    name: 'n',
    fields: { a: { mapValue: { fields: { b: leaf, c: leaf } } }, d: leaf, 'e.f': leaf },
  };

  test.each([
    ['no mask', undefined, document.fields],
    ['an empty mask', { fieldPaths: [] }, {}],
    ['a field', { fieldPaths: ['d'] }, { d: leaf }],
    ['a field of a map', { fieldPaths: ['a.b'] }, { a: { mapValue: { fields: { b: leaf } } } }],
    ['two fields of a map', { fieldPaths: ['a.b', 'a.c'] }, { a: document.fields.a }],
    ['a map and a field of it', { fieldPaths: ['a.b', 'a'] }, { a: document.fields.a }],
    ['a field with a dot in its name', { fieldPaths: ['`e.f`'] }, { 'e.f': leaf }],
    ['missing fields', { fieldPaths: ['x', 'd.y', 'a.z'] }, {}],
  ])('returns the fields of %s', (_what, mask, fields) => {
    expect(masked(document, mask)).toEqual({ name: 'n', fields });
  });
});

import { parseQueryParameters } from './query.ts';

const NAMES = new Set(['a', 'b', 'a[]', '__proto__']);

test.each([
  { name: 'an empty query', query: '', parameters: {} },
  { name: 'an empty value', query: 'a=1&b=', parameters: { a: '1', b: '' } },
  { name: 'a parameter without a value', query: 'a', parameters: { a: '' } },
  { name: 'escapes, once', query: 'a=x+y%20z%2520', parameters: { a: 'x y z%20' } },
  {
    name: 'a repeated parameter as a list',
    query: 'a=1&b=2&a=3&a=4',
    parameters: { a: ['1', '3', '4'], b: '2' },
  },
  { name: 'brackets in a name', query: 'a[]=1', parameters: { 'a[]': '1' } },
  { name: 'an escaped name', query: '%61=2', parameters: { a: '2' } },
  { name: 'an equals sign in a value', query: 'b=3=4', parameters: { b: '3=4' } },
  { name: '__proto__', query: '__proto__=x', parameters: { ['__proto__']: 'x' } },
])('parses $name', ({ query, parameters }) => {
  expect(Object.entries(parseQueryParameters(query, NAMES))).toEqual(Object.entries(parameters));
});

test('ignores other parameters, even malformed ones', () => {
  expect(parseQueryParameters('c=1&utm=100%&%ff=a&constructor=y&a=1&&=', NAMES)).toEqual({
    a: '1',
  });
});

test.each(['a=%', 'a=%zz', 'b=%ff'])('rejects the malformed escape in %s', (query) => {
  expect(() => parseQueryParameters(query, NAMES)).toThrow(
    'The query has a malformed percent-escape.',
  );
});

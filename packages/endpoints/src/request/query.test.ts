import { parseQuery } from './query.ts';

describe('a query', () => {
  const names = new Set(['a', 'b', 'a[]', '__proto__']);

  test.each([
    ['', {}],
    ['a=1&b=', { a: '1', b: '' }],
    ['a', { a: '' }],
    ['a=x+y%20z%2520', { a: 'x y z%20' }],
    ['a=1&b=2&a=3&a=4', { a: ['1', '3', '4'], b: '2' }],
    ['a[]=1&%61=2&b=3=4', { 'a[]': '1', a: '2', b: '3=4' }],
    // Unknown parameters, also malformed ones.
    ['c=1&utm=100%&%ff=a&a=1&&=', { a: '1' }],
    ['__proto__=x&constructor=y', { ['__proto__']: 'x' }],
  ])('%s has the known parameters %j', (query, parameters) => {
    expect(Object.entries(parseQuery(query, names))).toEqual(Object.entries(parameters));
  });

  test.each(['a=%', 'a=%zz', 'b=%ff'])('is rejected with the malformed escape in %s', (query) => {
    expect(() => parseQuery(query, names)).toThrow('The query has a malformed percent-escape.');
  });
});

import { queryParameters, requestTarget } from '../../functions/src/http/requestTarget.ts';

describe('requestTarget', () => {
  test.each([
    ['/a/b?c=d', '/a/b', 'c=d'],
    ['/a?b?c', '/a', 'b?c'],
    ['/a/../b', '/a/../b', ''],
    ['/a/%2e%2e/b?x', '/a/%2e%2e/b', 'x'],
    ['http://host:80/a?b=c', '/a', 'b=c'],
    ['http://host', '/', ''],
    ['?a=b', '/', 'a=b'],
    ['/a#b?c', '/a', ''],
    ['*', '*', ''],
  ])('takes %s apart without resolving it', (url, path, query) => {
    expect(requestTarget(url)).toEqual({ path, query });
  });
});

describe('queryParameters', () => {
  test.each([
    ['', {}],
    ['a=1&b=', { a: '1', b: '' }],
    ['a', { a: '' }],
    ['a=x+y%20z', { a: 'x y z' }],
    ['a=1&b=2&a=3', { a: ['1', '3'], b: '2' }],
    ['a[]=1&a[b]=2', { 'a[]': '1', 'a[b]': '2' }],
  ])('reads %s', (query, parameters) => {
    expect(queryParameters(query)).toEqual(parameters);
  });

  test('keeps __proto__ a parameter like any other', () => {
    const parameters = queryParameters('__proto__=x&constructor=y');

    expect(Object.keys(parameters)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(parameters)).toBe(Object.prototype);
  });

  test.each(['a=%', 'a=%zz', '%ff=a'])('refuses the malformed escape in %s', (query) => {
    expect(() => queryParameters(query)).toThrow('The query holds a malformed percent-escape.');
  });
});

import {
  pathReader,
  queryParameters,
  requestTarget,
} from '../../functions/src/http/requestTarget.ts';

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
  ])('splits %s without resolving it', (url, path, query) => {
    expect(requestTarget(url)).toEqual({ path, query });
  });
});

describe('queryParameters', () => {
  const names = new Set(['a', 'b', 'a[]', '__proto__']);

  test.each([
    ['', {}],
    ['a=1&b=', { a: '1', b: '' }],
    ['a', { a: '' }],
    ['a=x+y%20z', { a: 'x y z' }],
    ['a=1&b=2&a=3&a=4', { a: ['1', '3', '4'], b: '2' }],
    ['a[]=1&%61=2&b=3=4', { 'a[]': '1', a: '2', b: '3=4' }],
    // Unknown parameters, also malformed ones.
    ['c=1&utm=100%&%ff=a&a=1&&=', { a: '1' }],
  ])('reads %s', (query, parameters) => {
    expect(queryParameters(query, names)).toEqual(parameters);
  });

  test('reads __proto__ like any other parameter', () => {
    const parameters = queryParameters('__proto__=x&constructor=y', names);

    expect(Object.keys(parameters)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(parameters)).toBe(Object.prototype);
  });

  test.each(['a=%', 'a=%zz', 'b=%ff'])('refuses the malformed escape in %s', (query) => {
    expect(() => queryParameters(query, names)).toThrow(
      'The query has a malformed percent-escape.',
    );
  });
});

const NO_ENDPOINT = 'There is no endpoint at this path.';

describe('the reader of a path with a parameter', () => {
  const read = pathReader('/flash/artist/{id}/paginated');

  test.each([
    ['/flash/artist/abc/paginated', 'abc'],
    ['/api/flash/artist/abc/paginated', 'abc'],
    ['/flash/artist/a%20%C3%A9/paginated', 'a é'],
    ['/flash/artist/a%2Fb/paginated', 'a/b'],
    ['/flash/artist/../paginated', '..'],
    ['/flash/artist/__proto__/paginated', '__proto__'],
    ['/flash/artist/%00/paginated', '\0'],
    ['/flash/artist/%F0%9F%92%89/paginated', '💉'],
  ])('reads %s', (path, id) => {
    expect(read(path)).toEqual({ id });
  });

  test.each([
    '/',
    '/api',
    '/flash/artist/abc',
    '/flash/artist//paginated',
    '/flash/artist/abc/paginated/',
    '/flash/artist/abc/Paginated',
    '/flash/artist/a/b/paginated',
    '/api/api/flash/artist/abc/paginated',
    '/apiflash/artist/abc/paginated',
    '//flash/artist/abc/paginated',
    '/v1/flash/artist/abc/paginated',
    '/flash/artist/abc/paginated/..',
    '/flash/artist/abc/paginated;a=b',
    '/flash/artist/abc/paginated%00',
    '/flash/artist/abc/paginated%2f',
    '/flash/artist/abc/paginated.json',
    '/FLASH/ARTIST/abc/PAGINATED',
    '/.env',
    '/__/functions.yaml',
  ])('finds no endpoint at %s', (path) => {
    expect(() => read(path)).toThrow(NO_ENDPOINT);
  });

  test.each([
    '/flash/artist/%/paginated',
    '/flash/artist/%zz/paginated',
    '/flash/artist/%ff/paginated',
    '/flash/artist/%c0%af/paginated',
    '/flash/artist/%ed%a0%80/paginated',
  ])('refuses the malformed escape in %s', (path) => {
    expect(() => read(path)).toThrow('The path has a malformed percent-escape.');
  });
});

describe('the reader of a path without parameters', () => {
  const read = pathReader('/artists');

  test.each(['/artists', '/api/artists', '/'])('accepts %s', (path) => {
    expect(read(path)).toEqual({});
  });

  test.each(['/api', '/api/', '/artists/', '/artists/x', '/Artists', '/%61rtists'])(
    'finds no endpoint at %s',
    (path) => {
      expect(() => read(path)).toThrow(NO_ENDPOINT);
    },
  );
});

import { createPathMatcher, decodePathParams, parseRequestTarget } from './route.ts';

test.each([
  { url: '/a/b?c=d', path: '/a/b', query: 'c=d' },
  { url: '/a?b?c', path: '/a', query: 'b?c' },
  { url: '/a?b=http://host/c', path: '/a', query: 'b=http://host/c' },
  { url: '/a/../b', path: '/a/../b', query: '' },
  { url: '/a/%2e%2e/b?x', path: '/a/%2e%2e/b', query: 'x' },
  { url: 'http://host:80/a?b=c', path: '/a', query: 'b=c' },
  { url: 'http://host', path: '/', query: '' },
  { url: '?a=b', path: '/', query: 'a=b' },
  { url: '/a#b?c', path: '/a', query: '' },
  { url: '*', path: '*', query: '' },
])('splits the target $url without resolving it', ({ url, path, query }) => {
  expect(parseRequestTarget(url)).toEqual({ path, query });
});

describe('the template /flash/artist/{id}/paginated', () => {
  const matchPath = createPathMatcher('/flash/artist/{id}/paginated');

  test.each([
    { path: '/flash/artist/abc/paginated', id: 'abc' },
    { path: '/api/flash/artist/abc/paginated', id: 'abc' },
    { path: '/flash/artist/a%20%C3%A9/paginated', id: 'a é' },
    { path: '/flash/artist/a%2Fb/paginated', id: 'a/b' },
    // Escapes are decoded once.
    { path: '/flash/artist/a%252Fb/paginated', id: 'a%2Fb' },
    { path: '/flash/artist/../paginated', id: '..' },
    { path: '/flash/artist/%00/paginated', id: '\0' },
  ])('matches $path with the ID $id', ({ path, id }) => {
    expect(decodePathParams(matchPath(path))).toEqual({ id });
  });

  test.each([
    '/',
    '/api',
    '/.env',
    '/__/functions.yaml',
    '/flash/artist/abc',
    '/flash/artist/',
    '/flash/artist/a/b/paginated',
    '/flash/artist/abc/Paginated',
    '/api/api/flash/artist/a/paginated',
    '/apiflash/artist/a/paginated',
    '//flash/artist/a/paginated',
    '/v1/flash/artist/a/paginated',
    '/flash/artist/a/paginated/',
    '/flash/artist/a/paginated/..',
    '/flash/artist/a/paginated;a=b',
    '/flash/artist/a/paginated%00',
    '/flash/artist/a/paginated%2f',
    '/flash/artist/a/paginated.json',
  ])('does not match %s', (path) => {
    expect(matchPath(path)).toBeUndefined();
  });

  test.each(['%', '%zz', '%ff', '%c0%af'])('rejects the malformed escape %j in the ID', (id) => {
    const params = matchPath(`/flash/artist/${id}/paginated`);

    expect(() => decodePathParams(params)).toThrow('The path has a malformed percent-escape.');
  });
});

describe('the template /artists', () => {
  const matchPath = createPathMatcher('/artists');

  test.each(['/artists', '/api/artists', '/'])('matches %s', (path) => {
    expect(matchPath(path)).toEqual({});
  });

  test.each(['/api', '/api/', '/artists/', '/artists/x', '/Artists', '/%61rtists'])(
    'does not match %j',
    (path) => {
      expect(matchPath(path)).toBeUndefined();
    },
  );
});

test('a dot in a template matches only a dot', () => {
  const matchPath = createPathMatcher('/v1.0/artists');

  expect(matchPath('/v1.0/artists')).toEqual({});
  expect(matchPath('/v1x0/artists')).toBeUndefined();
});

test('a path that does not match is not found', () => {
  expect(() => decodePathParams(undefined)).toThrow('There is no endpoint at this path.');
});

import { createPathMatcher, parseRequestTarget } from './route.ts';

test.each([
  ['/a/b?c=d', '/a/b', 'c=d'],
  ['/a?b?c', '/a', 'b?c'],
  ['/a?b=http://host/c', '/a', 'b=http://host/c'],
  ['/a/../b', '/a/../b', ''],
  ['/a/%2e%2e/b?x', '/a/%2e%2e/b', 'x'],
  ['http://host:80/a?b=c', '/a', 'b=c'],
  ['http://host', '/', ''],
  ['?a=b', '/', 'a=b'],
  ['/a#b?c', '/a', ''],
  ['*', '*', ''],
])('the target %s is split without resolving it', (url, path, query) => {
  expect(parseRequestTarget(url)).toEqual({ path, query });
});

describe('a path', () => {
  const PAGE = '/flash/artist/{id}/paginated';
  const [NONE, MALFORMED] = [
    'There is no endpoint at this path.',
    'The path has a malformed percent-escape.',
  ];

  test.each([
    [PAGE, '/flash/artist/abc/paginated', { id: 'abc' }],
    [PAGE, '/api/flash/artist/abc/paginated', { id: 'abc' }],
    [PAGE, '/flash/artist/a%20%C3%A9/paginated', { id: 'a é' }],
    [PAGE, '/flash/artist/a%2Fb/paginated', { id: 'a/b' }],
    // Decoded once.
    [PAGE, '/flash/artist/a%252Fb/paginated', { id: 'a%2Fb' }],
    [PAGE, '/flash/artist/../paginated', { id: '..' }],
    [PAGE, '/flash/artist/%00/paginated', { id: '\0' }],
    ['/artists', '/artists', {}],
    ['/artists', '/api/artists', {}],
    ['/artists', '/', {}],
    ['/v1.0/artists', '/v1.0/artists', {}],
  ])('that matches %s, %s, has the parameters %j', (template, path, parameters) => {
    expect(createPathMatcher(template)(path)).toEqual(parameters);
  });

  const within = (text: string) => (id: string) => text.replace('_', id);

  test.each([
    [PAGE, NONE, ['/', '/api', '/.env', '/__/functions.yaml']],
    [PAGE, NONE, ['abc', '', 'a/b/paginated', 'abc/Paginated'].map(within('/flash/artist/_'))],
    [PAGE, NONE, ['/api/api/', '/api', '//', '/v1/'].map(within('_flash/artist/a/paginated'))],
    [
      PAGE,
      NONE,
      ['/', '/..', ';a=b', '%00', '%2f', '.json'].map(within('/flash/artist/a/paginated_')),
    ],
    [PAGE, MALFORMED, ['%', '%zz', '%ff', '%c0%af'].map(within('/flash/artist/_/paginated'))],
    ['/v1.0/artists', NONE, ['/v1x0/artists']],
    ['/artists', NONE, ['/api', '/api/', '/artists/', '/artists/x', '/Artists', '/%61rtists']],
  ])('that does not match %s is rejected: “%s” %j', (template, message, paths) => {
    for (const path of paths) expect(() => createPathMatcher(template)(path)).toThrow(message);
  });
});

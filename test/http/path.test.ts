import { pathReader } from '../../functions/src/http/path.ts';

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
  ])('finds no endpoint at %s', (path) => {
    expect(() => read(path)).toThrow(NO_ENDPOINT);
  });

  test.each([
    '/flash/artist/%/paginated',
    '/flash/artist/%zz/paginated',
    '/flash/artist/%ff/paginated',
  ])('refuses the malformed escape in %s', (path) => {
    expect(() => read(path)).toThrow('The path holds a malformed percent-escape.');
  });
});

describe('the reader of a path without parameters', () => {
  const read = pathReader('/artists');

  test.each(['/artists', '/api/artists', '/'])('takes %s', (path) => {
    expect(read(path)).toEqual({});
  });

  test.each(['/api', '/api/', '/artists/', '/artists/x', '/Artists', '/%61rtists'])(
    'finds no endpoint at %s',
    (path) => {
      expect(() => read(path)).toThrow(NO_ENDPOINT);
    },
  );
});

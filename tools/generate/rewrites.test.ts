import { withRewrites, withSources } from './rewrites.ts';

interface Config {
  readonly hosting: { readonly public: string; readonly rewrites: readonly object[] };
}

test('sends paths with the same start to their own functions, the longer one first', () => {
  const paths = ['/a/{id}', '/a', '/a/{id}/new', '/a/{id}/{other}', '/b/{id}/new', '/b/all'];
  const targets = paths.map((path) => ({ path }));

  expect(withSources(targets).map(({ source }) => source)).toEqual([
    '/api/a',
    '/api/a/**/new',
    '/api/a/**/**',
    '/api/a/**',
    '/api/b/all',
    '/api/b/**',
  ]);
});

test('refuses two endpoints with one path, of which Hosting would reach one only', () => {
  const twice = () => withSources([{ path: '/a/{id}' }, { path: '/b' }, { path: '/a/{id}' }]);

  expect(twice).toThrow('Two endpoints have the path /a/{id}.');
});

test('puts a rewrite for each endpoint in place of our old ones, and leaves those of others where they work', () => {
  const to = (source: string, functionId: string) => ({ source, function: { functionId } });
  const written = (rewrites: readonly object[]) => {
    const file = JSON.stringify({ hosting: { public: 'public', rewrites } });
    const { hosting } = withRewrites(file, ['flash-hook']) as Config;
    expect(hosting.public).toBe('public');
    return hosting.rewrites;
  };
  const [pages, hook, single, all] = [
    { source: '/pages/**', destination: '/pages.html' },
    to('/api/flash/hook', 'flash-hook'),
    { glob: '/api/shop/**', run: { serviceId: 'shop' } },
    { source: '**', destination: '/index.html' },
  ];
  const [old, removed, rest] = [
    to('/api/artists', 'artists-list'),
    to('/api/flash/old', 'flash-old'),
    to('/api/**', 'artists-list'),
  ];

  const ours = written([]);
  const expected = [pages, ...ours.slice(0, -2), hook, single, ...ours.slice(-2), all];
  expect(written([pages, old, hook, removed, rest, all, single])).toEqual(expected);
  expect(written(expected)).toEqual(expected);
});

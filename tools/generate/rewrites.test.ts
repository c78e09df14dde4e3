import { updateRewrites, toSources } from './rewrites.ts';

interface Config {
  readonly hosting: { readonly public: string; readonly rewrites: readonly object[] };
}

test('each parameter is **, and a source stands before all that also match its paths', () => {
  const paths = ['/{rest}', '', '/a/{id}', '/a', '/a/{id}/new', '/a/{id}/{other}', '/a/all'];

  expect(toSources(paths.map((path) => [path, 'f'])).map(([source]) => source)).toEqual([
    '/api/a/all',
    '/api/a/**/new',
    '/api/a/**/**',
    '/api/a/**',
    '/api/a',
    '/api/**',
    '/api',
  ]);
});

test('puts a rewrite for each endpoint in place of our old ones, and leaves those of others where they stood', () => {
  const to = (source: string, functionId: string) => ({ source, function: { functionId } });
  const written = (rewrites: readonly object[]) => {
    const file = JSON.stringify({ hosting: { public: 'public', rewrites } });
    const { hosting } = updateRewrites(file, ['flash-hook']) as Config;
    expect(hosting.public).toBe('public');
    return hosting.rewrites;
  };
  const hook = to('/api/flash/hook', 'flash-hook');
  const shop = { glob: '/api/shop/**', run: { serviceId: 'shop' } };
  const all = { source: '**', destination: '/index.html' };
  const [old, removed, rest] = [
    to('/api/artists', 'artists-list'),
    to('/api/flash/old', 'flash-old'),
    to('/api/**', 'artists-list'),
  ];

  const expected = [hook, shop, ...written([]), all];
  expect(written([hook, shop, old, removed, rest, all])).toEqual(expected);
  expect(written(expected)).toEqual(expected);
});

import { parseFirebaseConfig } from '../../dev/configFiles.ts';
import { updateRewrites, toSources } from './rewrites.ts';

const CONFIG = { functions: [{ source: 'functions' }], firestore: {} };

test('toSources writes parameters as **, and orders each source before more general ones', () => {
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

test('updateRewrites replaces the generated rewrites in place, and keeps all others', () => {
  const to = (source: string, functionId: string) => ({ source, function: { functionId } });
  const update = (rewrites: readonly object[]) => {
    const file = JSON.stringify({ ...CONFIG, hosting: { public: 'public', rewrites } });
    const { hosting } = parseFirebaseConfig(updateRewrites(file, ['flash-hook']));
    expect(hosting).toHaveProperty('public', 'public');
    return hosting.rewrites ?? [];
  };
  const hook = to('/api/flash/hook', 'flash-hook');
  const shop = { glob: '/api/shop/**', run: { serviceId: 'shop' } };
  const all = { source: '**', destination: '/index.html' };
  const [old, removed, rest] = [
    to('/api/artists', 'artists-list'),
    to('/api/flash/old', 'flash-old'),
    to('/api/**', 'artists-list'),
  ];

  const expected = [hook, shop, ...update([]), all];
  expect(update([hook, shop, old, removed, rest, all])).toEqual(expected);
  expect(update(expected)).toEqual(expected);
});

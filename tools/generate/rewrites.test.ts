import { parseFirebaseConfig } from '../../dev/configFiles.ts';
import { endpoints, otherFunctionIds } from '../../functions/service.ts';
import { chooseFallback, toSources, updateRewrites } from './rewrites.ts';

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
  const createRewrite = (source: string, functionId: string) => ({
    source,
    function: { functionId },
  });
  const update = (rewrites: readonly object[]) => {
    const file = JSON.stringify({ ...CONFIG, hosting: { public: 'public', rewrites } });
    const { hosting } = parseFirebaseConfig(
      updateRewrites(file, { endpoints, otherFunctionIds: ['flash-hook'] }),
    );
    expect(hosting).toHaveProperty('public', 'public');
    return hosting.rewrites ?? [];
  };
  const hook = createRewrite('/api/flash/hook', 'flash-hook');
  const shop = { glob: '/api/shop/**', run: { serviceId: 'shop' } };
  const indexPage = { source: '**', destination: '/index.html' };
  const current = createRewrite('/api/artists', 'artists-list');
  const removed = createRewrite('/api/flash/old', 'flash-old');
  const fallback = createRewrite('/api/**', 'artists-list');

  const expected = [hook, shop, ...update([]), indexPage];
  expect(update([hook, shop, current, removed, fallback, indexPage])).toEqual(expected);
  expect(update(expected)).toEqual(expected);
});

test('updateRewrites sends requests for unknown paths to a function that is not kept warm', () => {
  const isKeptWarm = (functionId: string) =>
    endpoints.find((deployed) => deployed.functionId === functionId)?.endpoint.declaration.keepWarm;
  const file = JSON.stringify({ ...CONFIG, hosting: { public: 'public', rewrites: [] } });
  const { rewrites = [] } = parseFirebaseConfig(
    updateRewrites(file, { endpoints, otherFunctionIds }),
  ).hosting;
  const fallbacks = rewrites.filter(({ source }) => /^\/api(\/\*\*)?$/.test(source ?? ''));

  expect(fallbacks.map((rewrite) => isKeptWarm(rewrite.function?.functionId ?? ''))).toEqual([
    undefined,
    undefined,
  ]);
});

test('chooseFallback throws if all endpoints are kept warm', () => {
  const warm = endpoints.filter(({ endpoint }) => endpoint.declaration.keepWarm);

  expect(warm).not.toEqual([]);
  expect(() => chooseFallback(warm)).toThrow('Unknown paths need one without it.');
});

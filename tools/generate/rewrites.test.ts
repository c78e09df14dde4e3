import { parseFirebaseConfig } from '../../dev/configFiles.ts';
import { endpoints, otherFunctionIds, unknownPathId } from '../../functions/service.ts';
import { toSources, updateRewrites } from './rewrites.ts';

const functions = { endpoints, unknownPathId, otherFunctionIds };
const CONFIG = { functions: [{ source: 'functions' }], firestore: {} };

test('toSources writes parameters as **, and orders each source before more general ones', () => {
  const paths = ['/{rest}', '', '/a/{id}', '/a', '/a/{id}/new', '/a/{id}/b/{other}/new', '/a/new'];

  expect(toSources(paths.map((path) => [path, 'f'])).map(([source]) => source)).toEqual([
    '/api/a/**/b/**/new',
    '/api/a/new',
    '/api/a/**/new',
    '/api/a',
    '/api/a/**',
    '/api',
    '/api/**',
  ]);
});

/** Adds endpoints with these paths to those of the service. */
function addEndpoints(...paths: readonly string[]) {
  const added = paths.flatMap((path, index) =>
    endpoints.slice(0, 1).map((deployed) => {
      const declaration = { ...deployed.endpoint.declaration, path };
      const endpoint = Object.assign(() => undefined, deployed.endpoint, { declaration });
      return { ...deployed, endpoint, functionId: `added-${index}` };
    }),
  );
  return { ...functions, endpoints: [...endpoints, ...added] };
}
const EMPTY_CONFIG = JSON.stringify({ ...CONFIG, hosting: {} });

test.each([
  { paths: ['/a/{id}', '/a/{id}/{other}'] },
  { paths: ['/a/{id}/new', '/a/{id}/{other}/new'] },
  { paths: ['/a/{id}', '/a/{key}'] },
])('updateRewrites throws for $paths, which Hosting cannot tell apart', ({ paths }) => {
  expect(() => updateRewrites(EMPTY_CONFIG, addEndpoints(...paths))).toThrow(
    /^Hosting cannot tell the path of added-\d from that of added-\d/,
  );
});

test('updateRewrites accepts paths of which one is part of the other', () => {
  const paths = ['/a/{id}/edit', '/a/{id}/b/{other}/edit', '/a/{id}', '/a', '/a/x', '/a/{id}/b'];

  expect(() => updateRewrites(EMPTY_CONFIG, addEndpoints(...paths))).not.toThrow();
});

test('updateRewrites replaces the generated rewrites in place, and keeps all others', () => {
  const createRewrite = (source: string, functionId: string) => ({
    source,
    function: { functionId },
  });
  const update = (rewrites: readonly object[]) => {
    const firebaseJson = JSON.stringify({ ...CONFIG, hosting: { public: 'public', rewrites } });
    const { hosting } = parseFirebaseConfig(
      updateRewrites(firebaseJson, { ...functions, otherFunctionIds: ['flash-hook'] }),
    );
    expect(hosting).toHaveProperty('public', 'public');
    return hosting.rewrites ?? [];
  };
  const hook = createRewrite('/api/flash/hook', 'flash-hook');
  const shop = { glob: '/api/shop/**', run: { serviceId: 'shop' } };
  const indexPage = { source: '**', destination: '/index.html' };
  const current = createRewrite('/api/artists', 'artists-list');
  const removed = createRewrite('/api/flash/old', 'flash-old');
  const fallback = createRewrite('/api/**', 'unknownPath');

  const expected = [hook, shop, ...update([]), indexPage];
  expect(update([hook, shop, current, removed, fallback, indexPage])).toEqual(expected);
  expect(update(expected)).toEqual(expected);
});

test('updateRewrites removes the rewrite of a removed endpoint, the last one of its group', () => {
  const removed = { source: '/api/reviews/**', function: { functionId: 'reviews-list' } };
  const other = { source: '/api/shop/**', function: { functionId: 'shop-list' } };
  const firebaseJson = JSON.stringify({ ...CONFIG, hosting: { rewrites: [removed, other] } });

  const updated = updateRewrites(firebaseJson, functions, ['/reviews/{id}', '/artists']);

  const { rewrites = [] } = parseFirebaseConfig(updated).hosting;
  expect(rewrites).not.toContainEqual(removed);
  expect(rewrites).toContainEqual(other);
});

test('updateRewrites sends requests for unknown paths to unknownPath', () => {
  const firebaseJson = JSON.stringify({ ...CONFIG, hosting: { public: 'public', rewrites: [] } });
  const { rewrites = [] } = parseFirebaseConfig(updateRewrites(firebaseJson, functions)).hosting;

  expect(rewrites.slice(-2)).toEqual([
    { source: '/api', function: { functionId: 'unknownPath' } },
    { source: '/api/**', function: { functionId: 'unknownPath' } },
  ]);
});

test('updateRewrites throws if the service does not export unknownPath', () => {
  expect(() => updateRewrites('{}', { ...functions, unknownPathId: undefined })).toThrow(
    'src/index.ts must export unknownPath of @tattoo-marketplace/endpoints',
  );
});

import { withSources } from './rewrites.ts';

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

import { endpoints } from '../../functions/service.ts';
import { findUnlisted, findUnlistedCollections, findUnlistedEndpoints } from './unlisted.ts';

test('findUnlisted finds no endpoint or collection of this service', async () => {
  expect(await findUnlisted()).toEqual([]);
});

test('findUnlistedEndpoints reports an endpoint that index.ts does not export', () => {
  const [first] = endpoints;
  const exports = { reorder: first?.endpoint, helper: () => undefined };
  const modules = [{ path: 'functions/src/flash/reorder.ts', exports }];

  expect(findUnlistedEndpoints(modules, new Set([first?.endpoint]))).toEqual([]);
  expect(findUnlistedEndpoints(modules, new Set())).toEqual([
    'functions/src/flash/reorder.ts declares the endpoint reorder: export it in functions/src/index.ts.',
  ]);
});

test('findUnlistedCollections reports a collection that service.ts does not list', () => {
  expect(findUnlistedCollections(['users', 'flash'], ['users'])).toEqual([
    'The collection flash is declared, but not listed: add it to COLLECTIONS in functions/service.ts.',
  ]);
});

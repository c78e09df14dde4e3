import { endpoints } from '../../functions/service.ts';
import { findUnlisted, findUnlistedCollections, findUnlistedEndpoints } from './unlisted.ts';

test('the lists of the service have all endpoints and collections', async () => {
  expect(await findUnlisted()).toEqual([]);
});

test('an endpoint that index.ts does not export is reported', () => {
  const [first] = endpoints;
  const exports = { reorder: first?.endpoint, helper: () => undefined };
  const modules = [{ path: 'functions/src/flash/reorder.ts', exports }];

  expect(findUnlistedEndpoints(modules, new Set([first?.endpoint]))).toEqual([]);
  expect(findUnlistedEndpoints(modules, new Set())).toEqual([
    'functions/src/flash/reorder.ts declares the endpoint reorder: export it in functions/src/index.ts.',
  ]);
});

test('a collection that service.ts does not list is reported', () => {
  expect(findUnlistedCollections(['users', 'flash'], ['users'])).toEqual([
    'The collection flash is declared, but not listed: add it to COLLECTIONS in functions/service.ts.',
  ]);
});

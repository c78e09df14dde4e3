import { endpoints } from '../../functions/service.ts';
import { findUnexportedEndpoints, importModules } from './unexportedEndpoints.ts';

test('finds no endpoint of this service', async () => {
  expect(findUnexportedEndpoints(await importModules())).toEqual([]);
});

test('reports an endpoint that index.ts does not export', () => {
  const [first] = endpoints;
  const exports = { reorder: first?.endpoint, helper: () => undefined };
  const modules = [{ path: 'functions/src/flash/reorder.ts', exports }];

  expect(findUnexportedEndpoints(modules)).toEqual([]);
  expect(findUnexportedEndpoints(modules, new Set())).toEqual([
    'functions/src/flash/reorder.ts declares the endpoint reorder: export it in functions/src/index.ts.',
  ]);
});

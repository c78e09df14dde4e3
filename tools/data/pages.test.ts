import { existsSync, readFileSync } from 'node:fs';
import { deployedEndpoints } from '../../dev/shared/deployMap.ts';
import { COLLECTIONS } from './collections.ts';

function pageOf(file: string): string {
  return readFileSync(file, 'utf8');
}

test('docs/decisions.md names tests that exist', () => {
  const named = pageOf('docs/decisions.md').match(/(?<=`)(?:test|dev|tools)\/[^`]+/g) ?? [];

  expect(named.filter((path) => !existsSync(path))).toEqual([]);
  expect(named.length).toBeGreaterThan(20);
});

test('docs/data.md and docs/mobile.md name operations that exist', () => {
  const endpoints = deployedEndpoints.map(({ endpoint: { declaration } }) => declaration);
  const existing = endpoints.map(({ method, path }) => `${method} ${path}`);
  const named = COLLECTIONS.flatMap(({ written }) =>
    Object.values(written).flatMap((text) => text.match(/[A-Z]+ \/[\w/-]+/g) ?? []),
  );
  const ids = pageOf('docs/mobile.md').match(/flashListByArtist|bookingsDeleteSession/g) ?? [];

  expect(named.filter((operation) => !existing.includes(operation))).toEqual([]);
  expect(deployedEndpoints.map(({ operationId }) => operationId)).toEqual(
    expect.arrayContaining([...new Set(ids)]),
  );
});

test('README.md names every collection', () => {
  const readme = pageOf('README.md');

  expect(COLLECTIONS.filter(({ path }) => !readme.includes(`| \`${path}\``))).toEqual([]);
});

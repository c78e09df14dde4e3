/** Finds endpoints and collections that the lists of the service lack: tools and tests only see those in the lists. */
import { globSync } from 'node:fs';
import { getDeclaredCollections } from '@tattoo-marketplace/collections';
import { ROOT } from '../../dev/root.ts';
import { COLLECTIONS, endpoints } from '../../functions/service.ts';

/** A module of functions/src with its exports. */
interface Module {
  readonly path: string;
  readonly exports: Readonly<Record<string, unknown>>;
}

/** Imports all modules of functions/src, and returns a sentence for each endpoint or collection that the lists lack. */
export async function findUnlisted(): Promise<readonly string[]> {
  const modules: Module[] = [];
  for (const path of globSync('functions/src/*/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] })) {
    const exports = (await import(`../../${path}`)) as Module['exports'];
    modules.push({ path, exports });
  }
  const listed = new Set<unknown>(endpoints.map(({ endpoint }) => endpoint));
  return [
    ...findUnlistedEndpoints(modules, listed),
    ...findUnlistedCollections(
      getDeclaredCollections().map(({ path }) => path),
      COLLECTIONS.map(({ path }) => path),
    ),
  ];
}

export function findUnlistedEndpoints(
  modules: readonly Module[],
  listed: ReadonlySet<unknown>,
): readonly string[] {
  return modules.flatMap(({ path, exports }) =>
    Object.entries(exports)
      .filter(([, value]) => isEndpoint(value) && !listed.has(value))
      .map(
        ([name]) => `${path} declares the endpoint ${name}: export it in functions/src/index.ts.`,
      ),
  );
}

export function findUnlistedCollections(
  declaredPaths: readonly string[],
  listed: readonly string[],
): readonly string[] {
  return declaredPaths
    .filter((path) => !listed.includes(path))
    .map(
      (path) =>
        `The collection ${path} is declared, but not listed: add it to COLLECTIONS in functions/service.ts.`,
    );
}

function isEndpoint(value: unknown): boolean {
  return typeof value === 'function' && '__endpoint' in value && 'declaration' in value;
}

/** Finds endpoints that functions/src/index.ts lacks: tools and tests only see those that it exports. */
import { globSync } from 'node:fs';
import { isEndpoint } from '@tattoo-marketplace/endpoints';
import { ROOT } from '../../dev/root.ts';
import { endpoints } from '../../functions/service.ts';

/** A module of functions/src with its exports. */
interface Module {
  readonly path: string;
  readonly exports: Readonly<Record<string, unknown>>;
}

/** Imports all modules of functions/src. */
export async function importModules(): Promise<readonly Module[]> {
  const modules: Module[] = [];
  for (const path of globSync('functions/src/*/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] })) {
    const exports = (await import(`../../${path}`)) as Module['exports'];
    modules.push({ path, exports });
  }
  return modules;
}

/** Returns a sentence for each endpoint of these modules that index.ts does not export. */
export function findUnexportedEndpoints(
  modules: readonly Module[],
  exported: ReadonlySet<unknown> = new Set(endpoints.map(({ endpoint }) => endpoint)),
): readonly string[] {
  return modules.flatMap(({ path, exports }) =>
    Object.entries(exports)
      .filter(([, value]) => isEndpoint(value) && !exported.has(value))
      .map(
        ([name]) => `${path} declares the endpoint ${name}: export it in functions/src/index.ts.`,
      ),
  );
}

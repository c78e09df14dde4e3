import { existsSync, readFileSync } from 'node:fs';
import { deployedEndpoints } from './support/deployMap.ts';

interface Rewrite {
  readonly source: string;
  /** Without a region: the CLI takes that in which the function is deployed. */
  readonly function: { readonly functionId: string };
}

describe('the deploy map', () => {
  test('gives each endpoint the name of its file and of its test', () => {
    const missing = deployedEndpoints
      .flatMap(({ group, name }) => [
        `functions/src/${group}/${name}.ts`,
        `test/${group}/${name}.stack.test.ts`,
      ])
      .filter((path) => !existsSync(path));

    expect(deployedEndpoints.length).toBeGreaterThan(0);
    expect(missing).toEqual([]);
  });

  test('has no two endpoints of one path and method', () => {
    const routes = deployedEndpoints.map(({ endpoint: { declaration } }) =>
      [declaration.method, declaration.path].join(' '),
    );

    expect(new Set(routes).size).toBe(routes.length);
  });
});

describe('firebase.json', () => {
  const { hosting } = JSON.parse(readFileSync('firebase.json', 'utf8')) as {
    hosting: { rewrites: readonly Rewrite[] };
  };

  /** From its first parameter on a path is left to the function: Hosting's own `*` matches no encoded slash. */
  function sourceOf(path: string): string {
    return `/api${path.replace(/\{.*$/, '**')}`;
  }

  test('sends the path of each endpoint to its function, and every other path to one that refuses it', () => {
    const rewrites = deployedEndpoints.map(({ functionId, endpoint }) => ({
      source: sourceOf(endpoint.declaration.path),
      function: { functionId },
    }));
    const others = ['/api', '/api/**'].map((source) => ({
      source,
      function: { functionId: 'artists-list' },
    }));

    expect(hosting.rewrites).toEqual([...rewrites, ...others]);
  });
});

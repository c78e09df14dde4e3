/** The rewrites of Firebase Hosting in firebase.json, which send each path to its function. */
import { deployedEndpoints } from '../../dev/shared/deployMap.ts';

interface FirebaseConfig {
  readonly hosting: { rewrites: readonly { readonly source: string }[] };
}

/** firebase.json with a rewrite for each endpoint. Rewrites of paths outside `/api` stay, before these. */
export function withRewrites(file: string): object {
  const config = JSON.parse(file) as FirebaseConfig;
  const { hosting } = config;
  const others = hosting.rewrites.filter(({ source }) => !/^\/api(\/|$)/.test(source));
  const targets = deployedEndpoints.map(({ functionId, endpoint }) => {
    return { functionId, path: endpoint.declaration.path };
  });
  const own = withSources(targets).map(({ source, functionId }) => rewrite(source, functionId));
  // Any function answers a path that is not an endpoint with 404.
  const [{ functionId } = { functionId: '' }] = deployedEndpoints;
  const rest = ['/api', '/api/**'].map((source) => rewrite(source, functionId));
  hosting.rewrites = [...others, ...own, ...rest];
  return config;
}

function rewrite(source: string, functionId: string) {
  return { source, function: { functionId } };
}

/**
 * Adds to each target the source of its rewrite, and puts them in an order in which the first match is the right one.
 * From its first parameter on, a path is left to its function, except where another path has the same start. Hosting's
 * `*` is not used for parameters: it does not match an encoded slash.
 */
export function withSources<Target extends { readonly path: string }>(
  targets: readonly Target[],
): (Target & { readonly source: string })[] {
  const startOf = ({ path }: Target) => path.replace(/\{.*$/, '**');
  const starts = Map.groupBy(targets, startOf);
  return targets
    .map((target) => {
      const start = startOf(target);
      const isAlone = starts.get(start)?.length === 1;
      return {
        ...target,
        source: `/api${isAlone ? start : target.path.replace(/\{\w+\}/g, '**')}`,
      };
    })
    .sort((a, b) => (orderOf(a.source) < orderOf(b.source) ? -1 : 1));
}

/** Puts `**` behind all names, and one at the end of a source behind those with a rest. */
function orderOf(source: string): string {
  return source.replace(/\*\*$/, '\uffff\uffff').replaceAll('**', '\uffff');
}

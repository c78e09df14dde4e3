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
  const own = deployedEndpoints.map(({ functionId, endpoint }) =>
    rewrite(sourceOf(endpoint.declaration.path), functionId),
  );
  // The first match counts: longer sources, and those without `**`, come before those that match their paths too.
  own.sort((a, b) =>
    a.source.replace('**', '\uffff') < b.source.replace('**', '\uffff') ? -1 : 1,
  );
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
 * From its first parameter on, the rewrite leaves the path to the function, because Hosting's `*` does not match an
 * encoded slash.
 */
function sourceOf(path: string): string {
  return `/api${path.replace(/\{.*$/, '**')}`;
}

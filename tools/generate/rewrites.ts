/** Generates the rewrites of Firebase Hosting in firebase.json: they send each path to its function. */
import type { DeployedEndpoint, ServiceFunctions } from '@tattoo-marketplace/endpoints';
import { parseFirebaseConfig, replaceJsonValue, type Rewrite } from '../../dev/configFiles.ts';

/**
 * Updates the firebase.json of a service with a rewrite for each endpoint. Rewrites that lead elsewhere stay before or after
 * the generated ones, as they were.
 */
export function updateRewrites(
  file: string,
  { endpoints, otherFunctionIds }: ServiceFunctions,
): string {
  const { rewrites = [] } = parseFirebaseConfig(file).hosting;
  const isGenerated = (rewrite: Rewrite) =>
    leadsToEndpointGroup(endpoints, rewrite) && !otherFunctionIds.includes(getFunctionId(rewrite));
  const first = rewrites.findIndex(isGenerated);
  const otherRewrites = rewrites.filter((rewrite) => !isGenerated(rewrite));
  const updated = otherRewrites.toSpliced(Math.max(first, 0), 0, ...generateRewrites(endpoints));
  return replaceJsonValue(file, ['hosting', 'rewrites'], updated);
}

/** Returns whether a rewrite leads to a function of a group with endpoints, even if the function was removed. */
function leadsToEndpointGroup(endpoints: readonly DeployedEndpoint[], rewrite: Rewrite): boolean {
  const [group] = getFunctionId(rewrite).split('-');
  return endpoints.some((endpoint) => endpoint.group === group);
}

/** Returns the id of the function that a rewrite leads to; empty if it does not lead to a function. */
function getFunctionId(rewrite: Rewrite): string {
  return rewrite.function?.functionId ?? '';
}

function generateRewrites(endpoints: readonly DeployedEndpoint[]): Rewrite[] {
  const targets = endpoints.map(({ functionId, endpoint }) => {
    return [endpoint.declaration.path, functionId] as const;
  });
  // Receives all paths that no endpoint has.
  const fallback = chooseFallback(endpoints);
  return toSources([...targets, ['', fallback], ['/{rest}', fallback]]).map(
    ([source, functionId]) => ({ source, function: { functionId } }),
  );
}

/**
 * Chooses the function that receives requests for unknown paths. Every function responds to them
 * with 404. It is one that is not kept warm, so that scanners do not use up the instances of the
 * functions that users wait for.
 */
export function chooseFallback(
  deployed: readonly Pick<DeployedEndpoint, 'functionId' | 'endpoint'>[],
): string {
  const fallback = deployed.find(({ endpoint }) => endpoint.declaration.keepWarm !== true);
  if (fallback === undefined)
    throw new Error('Every endpoint has keepWarm. Unknown paths need one without it.');
  return fallback.functionId;
}

/**
 * Converts paths to sources of rewrites. They are in descending order, because Hosting uses the first match, and `*` sorts
 * before all letters: a fixed segment then precedes a parameter. A parameter is `**`, because Hosting's `*` does not match
 * an encoded slash.
 */
export function toSources(
  targets: readonly (readonly [path: string, functionId: string])[],
): (readonly [source: string, functionId: string])[] {
  const sources = targets.map(([path, functionId]) => {
    return [`/api${path.replace(/\{\w+\}/g, '**')}`, functionId] as const;
  });
  return sources.sort(([a], [b]) => (a > b ? -1 : 1));
}

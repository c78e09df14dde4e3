/** Generates the rewrites of Firebase Hosting in firebase.json: they send each path to its function. */
import type { DeployedEndpoint, ServiceFunctions } from '@tattoo-marketplace/endpoints';
import { parseFirebaseConfig, replaceJsonValue, type Rewrite } from '../../dev/configFiles.ts';

/**
 * Updates the firebase.json of a service with a rewrite for each endpoint. Rewrites that lead elsewhere stay before or after
 * the generated ones, as they were. `previousPaths` are those of the last generation: they tell which rewrites of a group without
 * endpoints are generated ones.
 */
export function updateRewrites(
  firebaseJson: string,
  { endpoints, unknownPathId, otherFunctionIds }: ServiceFunctions,
  previousPaths: readonly string[] = [],
): string {
  if (unknownPathId === undefined) {
    throw new Error(
      'src/index.ts must export unknownPath of @tattoo-marketplace/endpoints: it responds to paths that no endpoint has.',
    );
  }
  const { rewrites = [] } = parseFirebaseConfig(firebaseJson).hosting;
  const previousSources = toSources(previousPaths.map((path) => [path, ''])).map(
    ([source]) => source,
  );
  const isGenerated = (rewrite: Rewrite) =>
    getFunctionId(rewrite) === unknownPathId ||
    ((leadsToEndpointGroup(endpoints, rewrite) || previousSources.includes(rewrite.source ?? '')) &&
      !otherFunctionIds.includes(getFunctionId(rewrite)));
  const first = rewrites.findIndex(isGenerated);
  const otherRewrites = rewrites.filter((rewrite) => !isGenerated(rewrite));
  const generatedRewrites = generateRewrites(endpoints, unknownPathId);
  const updated = otherRewrites.toSpliced(Math.max(first, 0), 0, ...generatedRewrites);
  return replaceJsonValue(firebaseJson, ['hosting', 'rewrites'], updated);
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

function generateRewrites(
  endpoints: readonly DeployedEndpoint[],
  unknownPathId: string,
): Rewrite[] {
  const targets = endpoints.map(({ functionId, endpoint }) => {
    return [endpoint.declaration.path, functionId] as const;
  });
  const sources = toSources([...targets, ['', unknownPathId], ['/{rest}', unknownPathId]]);
  assertReachable(sources);
  return sources.map(([source, functionId]) => ({ source, function: { functionId } }));
}

type Source = readonly [source: string, functionId: string];

/**
 * Converts paths to sources of rewrites. A parameter is `**`, because Hosting's `*` does not match an encoded slash; but `**` also
 * matches several segments, or none. As Hosting uses the first match, sources with more fixed segments come first, and of these
 * the ones with fewer parameters.
 */
export function toSources(
  targets: readonly (readonly [path: string, functionId: string])[],
): Source[] {
  const sources = targets.map(([path, functionId]) => {
    return [`/api${path.replace(/\{\w+\}/g, '**')}`, functionId] as const;
  });
  const compare = ([a]: Source, [b]: Source) => {
    const [aCount, bCount] = [countSegments(a), countSegments(b)];
    return bCount.fixed - aCount.fixed || aCount.all - bCount.all || (a > b ? -1 : 1);
  };
  return sources.sort(compare);
}

function countSegments(source: string): { readonly fixed: number; readonly all: number } {
  const segments = source.split('/');
  return { fixed: segments.filter((segment) => segment !== '**').length, all: segments.length };
}

/** Throws if Hosting would send the path of an endpoint to another function. */
function assertReachable(sources: readonly Source[]): void {
  for (const [source, functionId] of sources) {
    // No fixed segment has this value.
    const path = source.replaceAll('**', '{}');
    const [, firstId] = sources.find(([candidate]) => matches(candidate, path)) ?? [];
    if (firstId === functionId) continue;
    throw new Error(
      `Hosting cannot tell the path of ${functionId} from that of ${firstId}: its parameters match several segments. Give one of the paths another fixed segment.`,
    );
  }
}

/** Returns whether Hosting applies a source to a path: `/**` matches any number of segments, but at least one at the end. */
function matches(source: string, path: string): boolean {
  const escaped = source.replaceAll('.', String.raw`\.`);
  const pattern = escaped.replace(/\/\*\*$/, '/.+').replaceAll('/**', '(/.+)?');
  return new RegExp(`^${pattern}$`).test(path);
}

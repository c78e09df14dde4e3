/** The rewrites of Firebase Hosting in firebase.json, which send each path to its function. */
import { endpoints, otherFunctionIds } from '../../functions/service.ts';

/** A rewrite in firebase.json: one of others may lead anywhere. */
interface Rewrite {
  readonly source?: string;
  readonly function?: { readonly functionId: string };
}

interface FirebaseConfig {
  readonly hosting: { rewrites: readonly Rewrite[] };
}

/** firebase.json with a rewrite for each endpoint. Rewrites of others stay, before or after these, as they stood. */
export function updateRewrites(file: string, otherIds = otherFunctionIds): object {
  const config = JSON.parse(file) as FirebaseConfig;
  const { rewrites } = config.hosting;
  const isOwn = (each: Rewrite) => isOfEndpoint(each) && !otherIds.includes(targetOf(each));
  const first = rewrites.findIndex(isOwn);
  const others = rewrites.filter((each) => !isOwn(each));
  config.hosting.rewrites = others.toSpliced(Math.max(first, 0), 0, ...ownRewrites());
  return config;
}

/** Whether a rewrite leads to a function of a group with endpoints. It may have been an endpoint before. */
function isOfEndpoint(each: Rewrite): boolean {
  const [group] = targetOf(each).split('-');
  return endpoints.some((deployed) => deployed.group === group);
}

/** The id of the function that a rewrite leads to; empty if it leads elsewhere. */
function targetOf(each: Rewrite): string {
  return each.function?.functionId ?? '';
}

function ownRewrites(): Rewrite[] {
  const targets = endpoints.map(({ functionId, endpoint }) => {
    return [endpoint.declaration.path, functionId] as const;
  });
  // Any function answers a path that is not an endpoint with 404.
  const [[, functionId] = ['', '']] = targets;
  return toSources([...targets, ['', functionId], ['/{rest}', functionId]]).map(
    ([source, functionId]) => ({ source, function: { functionId } }),
  );
}

/**
 * Paths as sources of rewrites, in an order in which the first match is the right one: as `*` comes before all letters,
 * descending. Hosting's `*` is not used for parameters: it does not match an encoded slash.
 */
export function toSources(
  targets: readonly (readonly [path: string, functionId: string])[],
): (readonly [source: string, functionId: string])[] {
  const sources = targets.map(([path, functionId]) => {
    return [`/api${path.replace(/\{\w+\}/g, '**')}`, functionId] as const;
  });
  return sources.sort(([one], [other]) => (one > other ? -1 : 1));
}

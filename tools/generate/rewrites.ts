/** The rewrites of Firebase Hosting in firebase.json, which send each path to its function. */
import { deployedEndpoints, otherFunctions } from '../../functions/declared/deployMap.ts';

/** A rewrite in firebase.json: one of others may lead anywhere. */
interface Rewrite {
  readonly source?: string;
  /** An older name of `source`. */
  readonly glob?: string;
  readonly function?: string | { readonly functionId: string };
}

interface FirebaseConfig {
  readonly hosting: { rewrites: readonly Rewrite[] };
}

/**
 * firebase.json with a rewrite for each endpoint. Rewrites of others stay: before these, or after them, as they stood. The
 * last of ours takes all other paths below `/api`, so those of others for such paths are put before it.
 */
export function withRewrites(file: string, otherIds = otherFunctions): object {
  const config = JSON.parse(file) as FirebaseConfig;
  const { hosting } = config;
  const isOwn = (each: Rewrite) => isOfEndpoint(each) && !otherIds.includes(targetOf(each));
  const others = hosting.rewrites.filter((each) => !isOwn(each));
  const first = hosting.rewrites.findIndex(isOwn);
  const before = others.slice(0, Math.max(first, 0));
  const after = others.slice(before.length);
  const targets = deployedEndpoints.map(({ functionId, endpoint }) => {
    return { functionId, path: endpoint.declaration.path };
  });
  const own = withSources(targets).map(({ source, functionId }) => rewrite(source, functionId));
  // Any function answers a path that is not an endpoint with 404.
  const [{ functionId } = { functionId: '' }] = deployedEndpoints;
  const rest = ['/api', '/api/**'].map((source) => rewrite(source, functionId));
  hosting.rewrites = [
    ...[...before, ...own, ...after.filter(isBelowApi)],
    ...[...rest, ...after.filter((each) => !isBelowApi(each))],
  ];
  return config;
}

function isBelowApi({ source, glob = '' }: Rewrite): boolean {
  return /^\/api(\/|$)/.test(source ?? glob);
}

/** Whether a rewrite leads to a function of a group with endpoints. It may have been an endpoint before. */
function isOfEndpoint(each: Rewrite): boolean {
  const [group] = targetOf(each).split('-');
  return isBelowApi(each) && deployedEndpoints.some((deployed) => deployed.group === group);
}

/** The id of the function that a rewrite leads to; empty if it leads elsewhere. */
function targetOf({ function: target = '' }: Rewrite): string {
  return typeof target === 'string' ? target : target.functionId;
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
  const paths = targets.map(({ path }) => path);
  const twice = paths.find((path, index) => paths.indexOf(path) !== index);
  // A rewrite does not depend on the method.
  if (twice !== undefined) throw new Error(`Two endpoints have the path ${twice}.`);
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

/** A key to sort by: `**` comes after all names, and at the end of a source after sources that go on. */
function orderOf(source: string): string {
  return source.replace(/\*\*$/, '\uffff\uffff').replaceAll('**', '\uffff');
}

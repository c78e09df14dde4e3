/** The names of functions, from the map that a service's `index.ts` exports. */
import { assertDocumented } from './assertDocumented.ts';
import type { Endpoint, EndpointExample } from './declaration.ts';

/** An endpoint with its names from the deploy map. */
export interface DeployedEndpoint {
  /** `flash` */
  readonly group: string;
  /** `listByArtist` */
  readonly name: string;
  /** The name of the deployed function: `flash-listByArtist`. */
  readonly functionId: string;
  /** Its name in the OpenAPI document: `flashListByArtist`. */
  readonly operationId: string;
  readonly endpoint: Endpoint;
}

/** The endpoints of a deploy map, and the ids of its other functions: triggers, schedules. */
export function listFunctions(map: object) {
  const all = flattenExports(map);
  const endpoints = all.flatMap(({ path, member }): DeployedEndpoint[] =>
    isEndpoint(member) ? [{ ...deriveEndpointNames(path), endpoint: member }] : [],
  );
  assertUniquePaths(endpoints);
  assertDocumented(
    new Map(endpoints.map(({ functionId, endpoint }) => [functionId, endpoint.declaration])),
  );
  return {
    endpoints,
    otherFunctionIds: all.flatMap(({ path, member }) =>
      isEndpoint(member) ? [] : [path.join('-')],
    ),
  };
}

/** The functions in a group, and in groups of any level below it, as the CLI finds them. */
function flattenExports(
  group: object,
  before: readonly string[] = [],
): { readonly path: readonly string[]; readonly member: object }[] {
  return Object.entries<unknown>({ ...group }).flatMap(([name, member]) => {
    const path = [...before, name];
    if (typeof member === 'function') return '__endpoint' in member ? [{ path, member }] : [];
    return typeof member === 'object' && member !== null ? flattenExports(member, path) : [];
  });
}

/** Splits a path into group and name, which become the OpenAPI tag and the client method. */
function deriveEndpointNames(path: readonly string[]) {
  const [group = '', name = '', ...deeper] = path;
  if (name === '' || deeper.length > 0) {
    const place = 'a property of a group, for example: export const flash = { reorder }';
    throw new Error(`index.ts must export ${path.join('.')} as ${place}.`);
  }
  const operationId = `${group}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return { group, name, functionId: `${group}-${name}`, operationId };
}

/**
 * Throws if two endpoints have the same path. Hosting routes by path only; it ignores the method
 * and parameter names.
 */
function assertUniquePaths(endpoints: readonly DeployedEndpoint[]): void {
  const byPath = Map.groupBy(endpoints, ({ endpoint }) =>
    endpoint.declaration.path.replace(/\{\w+\}/g, '{}'),
  );
  for (const [path, [first, second]] of byPath) {
    if (first === undefined || second === undefined) continue;
    const { group, name } = second;
    throw new Error(
      `${first.group}.${first.name} and ${group}.${name} have the same path ${path}. Hosting routes by path only: give ${group}.${name} another path.`,
    );
  }
}

function isEndpoint(member: object): member is Endpoint {
  return 'declaration' in member;
}

/** The example of an endpoint; throws if it is missing. */
export function getExample({ functionId, endpoint }: DeployedEndpoint): EndpointExample {
  const { example } = endpoint.declaration;
  if (example !== undefined) return example;
  throw new Error(`The declaration of ${functionId} lacks an example.`);
}

/** The name by which the Functions Framework finds a function in the package: `flash.listByArtist`. */
export function toFunctionTarget(functionId: string): string {
  return functionId.replaceAll('-', '.');
}

/** The Cloud Run service of a function, as the CLI names it: `flash-listbyartist`. */
export function toCloudRunServiceName(functionId: string): string {
  return functionId.toLowerCase().replaceAll('_', '-');
}

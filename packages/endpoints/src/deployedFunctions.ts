/** Derives the names of functions from the map that a service's `index.ts` exports. */
import { assertDocumented } from './assertDocumented.ts';
import { isEndpoint, type Endpoint, type EndpointExample } from './declaration.ts';

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

/** Lists the endpoints of a deploy map, and the IDs of its other functions: triggers and schedules. */
export function listFunctions(deployMap: object) {
  const functions = flattenExports(deployMap);
  const endpoints = functions.flatMap(({ path, value }): DeployedEndpoint[] =>
    isEndpoint(value) ? [{ ...deriveEndpointNames(path), endpoint: value }] : [],
  );
  assertUniquePaths(endpoints);
  assertUniqueNames(endpoints);
  assertDocumented(
    new Map(endpoints.map(({ functionId, endpoint }) => [functionId, endpoint.declaration])),
  );
  return {
    endpoints,
    otherFunctionIds: functions
      .filter(({ value }) => !isEndpoint(value))
      .map(({ path }) => path.join('-')),
  };
}

/** Lists the functions in a group, and in the groups inside it, as the CLI does. */
function flattenExports(
  group: object,
  parentPath: readonly string[] = [],
): { readonly path: readonly string[]; readonly value: object }[] {
  return Object.entries<unknown>({ ...group }).flatMap(([name, value]) => {
    const path = [...parentPath, name];
    if (typeof value === 'function') return '__endpoint' in value ? [{ path, value }] : [];
    return typeof value === 'object' && value !== null ? flattenExports(value, path) : [];
  });
}

/** Splits a path into group and name, which become the OpenAPI tag and the client method. */
function deriveEndpointNames(path: readonly string[]) {
  const [group = '', name = '', ...deeper] = path;
  if (name === '' || deeper.length > 0) {
    throw new Error(
      `index.ts must export ${path.join('.')} as a property of a group, for example: export const flash = { reorder }.`,
    );
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

/**
 * Throws if two endpoints have the same operation ID, such as `flash.listByArtist` and
 * `flashList.byArtist`, or names that differ only in case: Cloud Run has no upper case.
 */
function assertUniqueNames(endpoints: readonly DeployedEndpoint[]): void {
  const byName = Map.groupBy(endpoints, ({ operationId }) => operationId.toLowerCase());
  for (const [, [first, second]] of byName) {
    if (first === undefined || second === undefined) continue;
    const { group, name, operationId } = second;
    throw new Error(
      `${first.group}.${first.name} and ${group}.${name} have the same operation ID ${operationId}, apart from case. Give ${group}.${name} another name.`,
    );
  }
}

/** Returns the example of an endpoint. Throws if it is missing. */
export function getExample({ functionId, endpoint }: DeployedEndpoint): EndpointExample {
  const { example } = endpoint.declaration;
  if (example !== undefined) return example;
  throw new Error(`The declaration of ${functionId} lacks an example.`);
}

/** Returns the name by which the Functions Framework finds a function: `flash.listByArtist`. */
export function toFunctionTarget(functionId: string): string {
  return functionId.replaceAll('-', '.');
}

/** Returns the name of a function's Cloud Run service, as the CLI derives it: `flash-listbyartist`. */
export function toCloudRunServiceName(functionId: string): string {
  return functionId.toLowerCase().replaceAll('_', '-');
}

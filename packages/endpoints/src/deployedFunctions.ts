/** Derives the names of functions from the map that a service's `index.ts` exports. */
import { assertDocumented } from './assertDocumented.ts';
import { isEndpoint, type Endpoint, type EndpointExample } from './declaration/declaration.ts';
import { unknownPath } from './unknownPath.ts';

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

/** The functions of a service. */
export interface ServiceFunctions {
  readonly endpoints: readonly DeployedEndpoint[];
  /** The ID of the function for paths that belong to no endpoint; undefined if the service does not export it. */
  readonly unknownPathId: string | undefined;
  /** The IDs of triggers, schedules and other functions that are no endpoints. */
  readonly otherFunctionIds: readonly string[];
}

/** Lists the functions of a deploy map. */
export function listFunctions(deployMap: object): ServiceFunctions {
  const functions = flattenExports(deployMap);
  const endpoints = functions.flatMap(({ path, value }): DeployedEndpoint[] =>
    isEndpoint(value) ? [{ ...deriveEndpointNames(path), endpoint: value }] : [],
  );
  assertUniquePaths(endpoints);
  assertUniqueNames(endpoints);
  assertDocumented(
    new Map(endpoints.map(({ functionId, endpoint }) => [functionId, endpoint.declaration])),
  );
  const toFunctionId = ({ path }: { readonly path: readonly string[] }) => path.join('-');
  return {
    endpoints,
    unknownPathId: functions.filter(({ value }) => value === unknownPath).map(toFunctionId)[0],
    otherFunctionIds: functions
      .filter(({ value }) => !isEndpoint(value) && value !== unknownPath)
      .map(toFunctionId),
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
  const getPath = ({ endpoint }: DeployedEndpoint) =>
    endpoint.declaration.path.replace(/\{\w+\}/g, '{}');
  const pair = findPair(endpoints, getPath);
  if (pair === undefined) return;
  const [first, second] = pair;
  throw new Error(
    `${formatMethodName(first)} and ${formatMethodName(second)} have the same path ${getPath(second)}. Hosting routes by path only: give ${formatMethodName(second)} another path.`,
  );
}

/**
 * Throws if two endpoints have the same operation ID, such as `flash.listByArtist` and
 * `flashList.byArtist`, or names that differ only in case: Cloud Run has no upper case.
 */
function assertUniqueNames(endpoints: readonly DeployedEndpoint[]): void {
  const pair = findPair(endpoints, ({ operationId }) => operationId.toLowerCase());
  if (pair === undefined) return;
  const [first, second] = pair;
  throw new Error(
    `${formatMethodName(first)} and ${formatMethodName(second)} have the same operation ID ${second.operationId}, apart from case. Give ${formatMethodName(second)} another name.`,
  );
}

/** Finds two endpoints with the same key. */
function findPair(
  endpoints: readonly DeployedEndpoint[],
  getKey: (endpoint: DeployedEndpoint) => string,
): readonly [DeployedEndpoint, DeployedEndpoint] | undefined {
  for (const [first, second] of Map.groupBy(endpoints, getKey).values()) {
    if (first !== undefined && second !== undefined) return [first, second];
  }
  return undefined;
}

function formatMethodName({ group, name }: DeployedEndpoint): string {
  return `${group}.${name}`;
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

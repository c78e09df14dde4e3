import * as deployMap from '../../functions/src/index.ts';
import type { Endpoint, Example } from '../../functions/src/http/declaration.ts';

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

/** All endpoints of the service. The deploy map may have other functions too: triggers, schedules. */
export const deployedEndpoints: readonly DeployedEndpoint[] = Object.entries(deployMap).flatMap(
  ([group, members]) =>
    Object.entries<unknown>({ ...members }).flatMap(([name, member]) =>
      isEndpoint(member) ? [{ ...namesOf(group, name), endpoint: member }] : [],
    ),
);

/** The endpoint of a function; throws if there is none. */
export function deployedEndpoint(functionId: string): DeployedEndpoint {
  const deployed = deployedEndpoints.find((each) => each.functionId === functionId);
  if (deployed === undefined) throw new Error(`functions/src/index.ts has no ${functionId}.`);
  return deployed;
}

function namesOf(group: string, name: string) {
  const operationId = `${group}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return { group, name, functionId: `${group}-${name}`, operationId };
}

function isEndpoint(member: unknown): member is Endpoint {
  return typeof member === 'function' && 'declaration' in member;
}

/** The file that declares an endpoint, for messages. */
export function fileOf({ group, name }: Pick<DeployedEndpoint, 'group' | 'name'>): string {
  return `functions/src/${group}/${name}.ts`;
}

/** The example of an endpoint; throws if it is missing. */
export function exampleOf({ group, name, endpoint }: DeployedEndpoint): Example {
  const { example } = endpoint.declaration;
  if (example !== undefined) return example;
  throw new Error(`${fileOf({ group, name })} lacks an example in its declaration.`);
}

import { basename } from 'node:path';
import type { CloudFunction } from './resources.ts';

/** The fields of a function that the check uses. */
export type DeployedFunction = Pick<CloudFunction, 'name' | 'state' | 'updateTime' | 'labels'>;

/** The expected result of a deploy. */
export interface DeployedChecks {
  /** The expected functions. */
  readonly ids: readonly string[];
  /** The time of the deploy, if it changed the functions. */
  readonly since?: Date;
}

/** The label in which the CLI stores the hash of a function's source and parameters. */
const HASH = 'firebase-functions-hash';

/**
 * The problems of a project's functions after a deploy, as sentences. All functions must have the same source, because
 * the CLI can report success although it has left an old function in place.
 */
export function deployedFaults(
  functions: readonly DeployedFunction[],
  { ids, since }: DeployedChecks,
): string[] {
  // The project may have functions of others.
  const newest = functions
    .filter(({ name }) => ids.includes(basename(name)))
    .sort((one, other) => other.updateTime.localeCompare(one.updateTime))[0];
  return ids.flatMap((id) => {
    const found = functions.find(({ name }) => basename(name) === id);
    if (found === undefined) return [`${id} is not deployed.`];
    const { state, updateTime, labels } = found;
    return [
      ...(state === 'ACTIVE' ? [] : [`${id} is ${state}.`]),
      ...(labels?.[HASH] === newest?.labels?.[HASH]
        ? []
        : [`${id} was deployed at ${updateTime}, from an older source.`]),
      ...(since === undefined || new Date(updateTime) >= since
        ? []
        : [`${id} was last changed at ${updateTime}.`]),
    ];
  });
}

/** The problems of a function's response to `GET /`: it must come from this service, and not be a server error. */
export function responseFaults(id: string, status: number, requestId: string | null): string[] {
  if (status >= 500) return [`${id} returned ${status}.`];
  return requestId === null ? [`The response of ${id} (${status}) is not from this service.`] : [];
}

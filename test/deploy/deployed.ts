import { basename } from 'node:path';
import type { CloudFunction } from './cloud/functionsApi.ts';

/** What the check looks at in a function. */
export type DeployedFunction = Pick<CloudFunction, 'name' | 'state' | 'updateTime' | 'labels'>;

/** What is asked of a deploy that has ended. */
export interface DeployedChecks {
  /** The functions that there must be. */
  readonly ids: readonly string[];
  /** The time of the deploy, where it has changed the functions. */
  readonly since?: Date;
}

/** The label in which the CLI stores the hash of a function's source and parameters. */
const HASH = 'firebase-functions-hash';

/**
 * What is wrong with the functions of a project after a deploy, a sentence each. The CLI has been seen to end well with
 * a function that was still the old one: all of them must be of one source.
 */
export function deployedFaults(
  functions: readonly DeployedFunction[],
  { ids, since }: DeployedChecks,
): string[] {
  const newest = functions.toSorted((one, other) =>
    other.updateTime.localeCompare(one.updateTime),
  )[0];
  return ids.flatMap((id) => {
    const found = functions.find(({ name }) => basename(name) === id);
    if (found === undefined) return [`${id} is not deployed.`];
    const { state, updateTime, labels } = found;
    return [
      ...(state === 'ACTIVE' ? [] : [`${id} is ${state}.`]),
      ...(labels[HASH] === newest?.labels[HASH]
        ? []
        : [`${id} is of ${updateTime}, and not of the source that was deployed last.`]),
      ...(since === undefined || new Date(updateTime) >= since
        ? []
        : [`${id} was last changed at ${updateTime}.`]),
    ];
  });
}

/** What is wrong with the response of a function to `GET /`: it must be one of ours, and no failure. */
export function responseFaults(id: string, status: number, requestId: string | null): string[] {
  if (status >= 500) return [`${id} answers ${status}.`];
  return requestId === null ? [`What answers for ${id} (${status}) is not this service.`] : [];
}

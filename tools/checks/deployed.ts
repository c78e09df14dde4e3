import { basename } from 'node:path';
import type { CloudFunction } from './resources.ts';

/** The label in which the CLI stores the hash of a function's source, parameters and secrets. */
const HASH = 'firebase-functions-hash';

/**
 * The problems of these functions of a project after a deploy, as sentences. All must have the same source, because the
 * CLI can report success although it has left an old function in place.
 */
export function deployedFaults(
  functions: readonly CloudFunction[],
  ids: readonly string[],
): string[] {
  // The project may have functions of others, and each set of secrets has a hash of its own.
  const newest = functions
    .filter((each) => ids.includes(basename(each.name)) && !hasSecrets(each))
    .sort((one, other) => other.updateTime.localeCompare(one.updateTime))[0];
  return ids.flatMap((id) => {
    const found = functions.find(({ name }) => basename(name) === id);
    if (found === undefined) return [`${id} is not deployed.`];
    const { state, updateTime, labels } = found;
    const isOld = !hasSecrets(found) && labels?.[HASH] !== newest?.labels?.[HASH];
    return [
      ...(state === 'ACTIVE' ? [] : [`${id} is ${state}.`]),
      ...(isOld ? [`${id} was deployed at ${updateTime}, from an older source.`] : []),
    ];
  });
}

function hasSecrets({ serviceConfig }: CloudFunction): boolean {
  return serviceConfig.secretEnvironmentVariables !== undefined;
}

/** The problems of a function's response to `GET /`: it must come from this service, and not be a server error. */
export function responseFaults(id: string, status: number, requestId: string | null): string[] {
  if (status >= 500) return [`${id} returned ${status}.`];
  return requestId === null ? [`The response of ${id} (${status}) is not from this service.`] : [];
}

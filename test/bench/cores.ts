import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';

/** What must not take processor time from one another. */
export type Part = 'service' | 'google' | 'load';

/** The cores of each part: the service has one for itself, as the platform gives it one. */
const CORES = coresOf(availableParallelism());

const isAvailable = await promisify(execFile)('taskset', ['-c', '0', 'true']).then(
  () => CORES !== undefined,
  () => false,
);

/** The command that runs a program on the cores of its part; none where the system has no such command, or one core. */
export function onCoresOf(part: Part): string[] {
  return isAvailable && CORES ? ['taskset', '-c', CORES[part]] : [];
}

/** How the parts are apart, in words. */
export const separation = isAvailable && CORES ? JSON.stringify(CORES) : 'none';

function coresOf(count: number): Readonly<Record<Part, string>> | undefined {
  if (count < 2) return undefined;
  if (count === 2) return { service: '0', google: '1', load: '1' };
  return { service: '0', google: '1', load: `2-${count - 1}` };
}

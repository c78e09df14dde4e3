import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';

/** The parts of a measurement that must not compete for processor time. */
export type Part = 'service' | 'google' | 'load';

/** The cores of each part. The service has one core, as on the platform. */
const CORES = coresOf(availableParallelism());

const isAvailable = await promisify(execFile)('taskset', ['-c', '0', 'true']).then(
  () => CORES !== undefined,
  () => false,
);

/**
 * The prefix of a command that pins a program to the cores of its part; empty with one core or without such a command.
 */
export function onCoresOf(part: Part): string[] {
  return isAvailable && CORES ? ['taskset', '-c', CORES[part]] : [];
}

/** Describes which part runs on which cores. */
export const separation = isAvailable && CORES ? JSON.stringify(CORES) : 'none';

function coresOf(count: number): Readonly<Record<Part, string>> | undefined {
  if (count < 2) return undefined;
  if (count === 2) return { service: '0', google: '1', load: '1' };
  return { service: '0', google: '1', load: `2-${count - 1}` };
}

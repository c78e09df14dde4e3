/** Which cores are used: the measured program has one for itself, as on the platform, and this process the others. */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const count = availableParallelism();
const others = count === 2 ? '1' : `1-${count - 1}`;
const isSeparated = count > 1 && spawnSync('taskset', ['-c', '0', 'true']).status === 0;

/** Describes the separation. */
export const separation = isSeparated ? `the service on core 0, all else on ${others}` : 'shared';

/** The prefix of a command that runs a program on its own core. */
export const onOwnCore = isSeparated ? ['taskset', '-c', '0'] : [];

/** Moves this process to the other cores. */
export function leaveOwnCore(): void {
  const { pid } = process;
  if (isSeparated) spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', others, `${pid}`]);
}

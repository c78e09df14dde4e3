/** The processes of the benchmark, each on its own cores: the service has one, as on the platform. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/** The parts of a measurement that must not compete for processor time. */
type Part = 'service' | 'google' | 'load';

/** The cores of each part; none with one core, or without `taskset`. */
const CORES = coresOf(availableParallelism());

function coresOf(count: number): Readonly<Record<Part, string>> | undefined {
  if (count < 2 || spawnSync('taskset', ['-c', '0', 'true']).status !== 0) return undefined;
  if (count === 2) return { service: '0', google: '1', load: '1' };
  return { service: '0', google: '1', load: `2-${count - 1}` };
}

/** Describes which part runs on which cores. */
export const separation = CORES ? JSON.stringify(CORES) : 'not separated';

/** The prefix of a command that runs a program on the cores of its part. */
export function onCoresOf(part: Part): string[] {
  return CORES ? ['taskset', '-c', CORES[part]] : [];
}

/** Starts a file of this folder, with a message channel. The process ends with this one. */
export function startPart(part: 'google' | 'load', file: string): ChildProcess {
  const [command = '', ...args] = [
    ...onCoresOf(part),
    ...[process.execPath, join(import.meta.dirname, file)],
  ];
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.once('exit', (code) => {
    if (!child.killed) throw new Error(`${file} ended with ${String(code)}.`);
  });
  return child;
}

/** Sends a message to a process, and returns its reply. */
export async function exchange(child: ChildProcess, message: object | string): Promise<unknown> {
  const replied = once(child, 'message');
  child.send(message);
  const [reply] = (await replied) as [unknown];
  return reply;
}

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePortList } from '../../dev/ports.ts';
import type { ExampleRequest } from '../../dev/shared/exampleRequests.ts';
import { ask, type Response } from './ask.ts';
import { onCoresOf } from './children.ts';
import type { Program } from './programs.ts';

const READY_WITHIN_MS = 60_000;
/** The platform's Node options for an instance of 512 MiB. */
const NODE_OPTIONS = '--max-old-space-size=448';

/** A running program. */
export interface Served {
  readonly port: number;
  readonly pid: number;
  /** From process spawn to the first 200, in ms. */
  readonly coldMs: number;
  /** The body of the first 200. */
  readonly first: Buffer;
  /** The end of its error output. */
  readonly errors: () => string;
  readonly stop: () => Promise<void>;
}

export interface ServeOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly example: ExampleRequest;
}

/** The programs that run, which must not outlive this process. */
const running = new Set<ChildProcess>();

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Serves a function of a program like the platform, and sends requests until one gets 200. */
export async function serve(
  { folder, target, env: ofProgram }: Program,
  functionId: string,
  { env, example }: ServeOptions,
): Promise<Served> {
  const [port = 0] = await freePortList(1);
  // The service has a copy of the framework of its own.
  const { resolve } = createRequire(join(folder, 'package.json'));
  const framework = join(dirname(resolve('@google-cloud/functions-framework')), 'main.js');
  const [command = '', ...args] = [
    ...[...onCoresOf('service'), process.execPath],
    ...['--require', join(import.meta.dirname, 'proxy.cjs'), framework, '--source', folder],
  ];
  const began = performance.now();
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...(process.env.PATH !== undefined && { PATH: process.env.PATH }),
      ...{ NODE_ENV: 'production', NODE_OPTIONS, LOG_EXECUTION_ID: 'true' },
      PORT: String(port),
      FUNCTION_TARGET: target ?? functionId.replace('-', '.'),
      K_SERVICE: functionId.toLowerCase(),
      BENCH_FUNCTION: functionId,
      ...env,
      ...ofProgram,
    },
  });
  running.add(child);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = `${errors}${chunk.toString()}`.slice(-2000);
  });
  let response: Response | undefined;
  while (child.exitCode === null && performance.now() - began < READY_WITHIN_MS) {
    response = await ask(port, example);
    if (response !== undefined && response.status !== 503) break;
    // Attempts without a pause would take processor time from the start.
    await delay(1);
  }
  const coldMs = performance.now() - began;
  if (response?.status !== 200) {
    const what = `${response?.status ?? 'nothing'} ${response?.bytes.toString() ?? ''}`;
    throw new Error(`${functionId} in ${folder} returned ${what}: ${errors}`);
  }
  return {
    ...{ port, coldMs },
    pid: child.pid ?? 0,
    first: response.bytes,
    errors: () => errors,
    stop: async () => {
      running.delete(child);
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The peak and the current memory of a process, in MiB; NaN if the system does not report it. */
export async function memoryOf(pid: number): Promise<{ peak: number; now: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const mib = (name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? NaN) / 1024;
  return { peak: mib('VmHWM'), now: mib('VmRSS') };
}

/**
 * The processor time of all threads of a process, in ms, from the scheduler's statistics in nanoseconds
 * (https://docs.kernel.org/scheduler/sched-stats.html); NaN if the system does not report it.
 */
export async function processorTimeOf(pid: number): Promise<number> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  const times = await Promise.all(
    tasks.map(async (task) => {
      const text = await readFile(`/proc/${pid}/task/${task}/schedstat`, 'utf8');
      return Number(text.split(' ')[0]);
    }),
  );
  return times.length === 0 ? NaN : times.reduce((sum, time) => sum + time, 0) / 1e6;
}

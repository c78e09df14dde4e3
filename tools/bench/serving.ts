import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectsTo, freePortList } from '../../dev/ports.ts';
import { serviceOf, targetOf } from '../../functions/declared/functionNames.ts';
import type { ExampleRequest } from '../../demo/exampleRequests.ts';
import { requestOf, type Bench, type Measured } from './bench.ts';
import { onOwnCore } from './cores.ts';
import { ask } from './load.ts';
import type { Program } from './programs.ts';
import type { Environment } from './simulation.ts';

const READY_WITHIN_MS = 60_000;
const FRAMEWORK = '@google-cloud/functions-framework';

/** The platform's environment for an instance of 512 MiB. Nothing is cached. */
const PLATFORM = {
  NODE_ENV: 'production',
  NODE_OPTIONS: '--max-old-space-size=448',
  LOG_EXECUTION_ID: 'true',
  PUBLIC_CACHE_SECONDS: '0',
  PAGE_CACHE_SECONDS: '0',
  USER_REQUESTS_PER_MINUTE: '1000000',
};

/** What keeps the simulation from taking more time than Google. */
const SIMULATED = {
  // See proxy.cjs.
  NODE_USE_ENV_PROXY: '0',
  // Reading a certificate takes a tenth of a second that a start on the platform does not take.
  NODE_EXTRA_CA_CERTS: '',
  NODE_TLS_REJECT_UNAUTHORIZED: '0',
  NODE_NO_WARNINGS: '1',
};

/** A program that accepts connections. */
export interface Started {
  readonly port: number;
  readonly pid: number;
  /** When its process was spawned. */
  readonly began: number;
  readonly stop: () => Promise<void>;
}

/** A program that has served a request. */
export interface Served extends Started {
  /** The request that it serves. */
  readonly example: ExampleRequest;
  /** From process spawn to the first 200, in ms; `Infinity` if it has died. */
  readonly coldMs: number;
  /** The body of the first 200; empty if it has died. */
  readonly first: Buffer;
}

/** The programs that run, which must not outlive this process. */
const running = new Set<ChildProcess>();

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts the function of a request like the platform, with a simulation of Google. */
export async function start(
  { google }: Bench,
  { folder, env }: Program,
  { functionId }: Measured,
  environment: Environment = google.replaying,
): Promise<Started> {
  const [port = 0] = await freePortList(1);
  const framework = createRequire(join(folder, 'package.json')).resolve(FRAMEWORK);
  const [command = '', ...args] = [
    ...[...onOwnCore, process.execPath, '--require', join(import.meta.dirname, 'proxy.cjs')],
    ...[join(dirname(framework), 'main.js'), '--source', folder],
  ];
  const began = performance.now();
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...(process.env.PATH !== undefined && { PATH: process.env.PATH }),
      ...PLATFORM,
      PORT: String(port),
      FUNCTION_TARGET: targetOf(functionId),
      K_SERVICE: serviceOf(functionId),
      ...environment,
      ...SIMULATED,
      ...env,
    },
  });
  running.add(child);
  while (!(await connectsTo(port))) {
    if (child.exitCode !== null || performance.now() - began > READY_WITHIN_MS) {
      throw new Error(`${functionId} in ${folder} did not start.`);
    }
    // Attempts without a pause would take processor time from the start.
    await delay(1);
  }
  return {
    ...{ port, began },
    pid: child.pid ?? 0,
    stop: async () => {
      running.delete(child);
      // It may have died.
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Starts the function of a request, and sends the request. */
export async function serve(
  bench: Bench,
  program: Program,
  measured: Measured,
  environment?: Environment,
): Promise<Served> {
  const example = requestOf(bench, measured);
  const started = await start(bench, program, measured, environment);
  const response = await ask(started.port, example);
  const coldMs = response === undefined ? Infinity : performance.now() - started.began;
  const { status = 200, bytes = Buffer.alloc(0) } = response ?? {};
  if (status === 200) return { ...started, example, coldMs, first: bytes };
  const what = `${status} ${bytes.toString()}`;
  throw new Error(`${measured.functionId} in ${program.folder} returned ${what}`);
}

/** The peak of a process's memory, in MiB; `Infinity` if it has died, NaN if the system does not report it. */
export async function peakMemoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const unknown = process.platform === 'linux' ? Infinity : NaN;
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? unknown) / 1024;
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

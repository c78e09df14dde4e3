import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { freePortList, LOOPBACK } from '../emulator/ports.ts';
import type { ExampleRequest } from '../support/exampleRequests.ts';
import type { Program } from './baselines.ts';
import { onCoresOf } from './cores.ts';

const READY_WITHIN_MS = 60_000;

/** The platform's Node options for an instance of 512 MiB. */
const NODE_OPTIONS = '--max-old-space-size=448';

/** A running program. */
export interface Served {
  readonly port: number;
  readonly pid: number;
  /** From process spawn to the first 200, in ms. */
  readonly coldMs: number;
  /** Its error output. */
  errors(): string;
  /** The body of its first response. */
  readonly first: string;
  /** The longest pause of its event loop since its first request, in ms; only if it was started with `pauses`. */
  longestPause(): Promise<number>;
  stop(): Promise<void>;
}

export interface ServeOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly example: ExampleRequest;
  /** A command that runs it, such as strace. */
  readonly under?: readonly string[];
  /** Whether pauses of its event loop are measured. */
  readonly pauses?: boolean;
}

/** Serves a function of a program like the platform, and sends requests until it returns 200. */
export async function serve(
  { folder, target }: Program,
  functionId: string,
  { env, example, under = [], pauses = false }: ServeOptions,
): Promise<Served> {
  const [port = 0] = await freePortList(1);
  const [command = '', ...args] = [
    ...onCoresOf('service'),
    ...under,
    process.execPath,
    ...(pauses ? ['--require', join(import.meta.dirname, 'pauses.cjs')] : []),
    ...[frameworkOf(folder), '--source', folder],
  ];
  const began = performance.now();
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe', ...(pauses ? (['ipc'] as const) : [])],
    env: {
      ...(process.env.PATH !== undefined && { PATH: process.env.PATH }),
      ...{ NODE_ENV: 'production', NODE_OPTIONS, LOG_EXECUTION_ID: 'true' },
      PORT: String(port),
      FUNCTION_TARGET: target ?? functionId.replace('-', '.'),
      K_SERVICE: functionId.toLowerCase(),
      BENCH_FUNCTION: functionId,
      ...env,
    },
  });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  let answer = await ask(port, example);
  while (answer === undefined && child.exitCode === null) {
    if (performance.now() - began > READY_WITHIN_MS) break;
    answer = await ask(port, example);
  }
  const coldMs = performance.now() - began;
  if (answer?.status !== 200) {
    await stop(child);
    throw new Error(
      `${functionId} in ${folder} returned ${answer?.status ?? 'nothing'}: ${errors}`,
    );
  }
  return {
    ...{ port, coldMs },
    pid: child.pid ?? 0,
    errors: () => errors,
    first: answer.text,
    longestPause: async () => {
      child.send('longest pause');
      const [ms] = (await once(child, 'message')) as [number];
      return ms;
    },
    stop: () => stop(child),
  };
}

/** The framework of a program; the service has a separate copy. */
function frameworkOf(folder: string): string {
  const { resolve } = createRequire(join(folder, 'package.json'));
  return join(dirname(resolve('@google-cloud/functions-framework')), 'main.js');
}

/** The response to a request; undefined if the port is not open yet. */
export async function ask(
  port: number,
  { path, body, method, headers }: ExampleRequest,
): Promise<{ readonly status: number; readonly text: string } | undefined> {
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const options = { host: LOOPBACK, port, path, method, agent: false };
    const sent = request({ ...options, headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const isCompressed = response.headers['content-encoding'] === 'gzip';
        const text = (isCompressed ? gunzipSync(bytes) : bytes).toString();
        resolve({ status: response.statusCode ?? 0, text });
      });
    });
    sent.on('error', () => {
      // Waits between attempts, which would otherwise take processor time from the start.
      setTimeout(resolve, 1, undefined);
    });
    sent.end(body);
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  // Its wrapper, strace, ends with it and writes its output before.
  const traced = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').catch(
    () => '',
  );
  if (traced.trim() === '') child.kill('SIGKILL');
  else process.kill(Number(traced.trim().split(' ')[0]), 'SIGKILL');
  await ended;
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

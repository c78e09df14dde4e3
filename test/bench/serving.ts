import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { freePortList, LOOPBACK } from '../emulator/ports.ts';
import { ROOT } from '../emulator/stack.ts';
import type { Contender } from './contenders.ts';
import type { ExampleRequest } from '../support/exampleRequests.ts';

const READY_WITHIN_MS = 20_000;

/** A contender that is being served. */
export interface Served {
  readonly port: number;
  readonly pid: number;
  /** From the start of its process to its first 200, in ms. */
  readonly coldMs: number;
  stop(): Promise<void>;
}

/** Serves a function of a contender, and asks it until it answers 200; `under` is what runs it, such as strace. */
export async function serve(
  { folder, target }: Contender,
  functionId: string,
  env: Readonly<Record<string, string>>,
  example: ExampleRequest,
  under: readonly string[] = [],
): Promise<Served> {
  const [port = 0] = await freePortList(1);
  const framework = 'node_modules/@google-cloud/functions-framework/build/src/main.js';
  const [command = '', ...args] = [
    ...under,
    process.execPath,
    ...[join(ROOT, framework), '--source', folder],
  ];
  const began = performance.now();
  const child = spawn(command, args, {
    stdio: 'ignore',
    env: {
      ...(process.env.PATH !== undefined && { PATH: process.env.PATH }),
      NODE_ENV: 'production',
      PORT: String(port),
      FUNCTION_TARGET: target ?? functionId.replace('-', '.'),
      BENCH_FUNCTION: functionId,
      ...env,
    },
  });
  for (;;) {
    const status = await ask(port, example);
    if (status === 200) break;
    if (status !== undefined || performance.now() - began > READY_WITHIN_MS) {
      await stop(child);
      throw new Error(`${folder} answered ${String(status)} for ${functionId}.`);
    }
  }
  const coldMs = performance.now() - began;
  return { port, pid: child.pid ?? 0, coldMs, stop: () => stop(child) };
}

/** The status of the answer; undefined where nobody listens yet. */
export async function ask(
  port: number,
  { path, body, method, headers }: ExampleRequest,
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const options = { host: LOOPBACK, port, path, method, agent: false };
    const sent = request({ ...options, headers: { ...headers, ...length } }, (answer) => {
      answer.resume().on('end', () => {
        resolve(answer.statusCode);
      });
    });
    sent.on('error', () => {
      // Not at once again: that would take the time of what starts.
      setTimeout(resolve, 1, undefined);
    });
    sent.end(body);
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  // What runs it, strace, ends with it, and has written all then.
  const traced = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').catch(
    () => '',
  );
  if (traced.trim() === '') child.kill('SIGKILL');
  else process.kill(Number(traced.trim().split(' ')[0]), 'SIGKILL');
  await ended;
}

/** How much memory a process holds at most and now, in MiB; undefined where the system does not say. */
export async function memoryOf(pid: number): Promise<{ peak: number; now: number } | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined);
  if (status === undefined) return undefined;
  const mib = (name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? NaN) / 1024;
  return { peak: mib('VmHWM'), now: mib('VmRSS') };
}

/** The time that a process has had the processor, in ms; undefined where the system does not say. */
export async function processorTimeOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Linux counts in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

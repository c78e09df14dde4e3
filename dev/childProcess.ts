import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { isListening } from './ports.ts';

/** A child process in its own process group, which ends when this process does. */
export type Child = ReturnType<typeof startChild>;

/** How to start a program. */
export interface ChildOptions {
  readonly cwd: string;
  /** All its environment variables. Default: those of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Gets each line of its output. */
  readonly onLine: (line: string) => void;
}

const KILL_AFTER_MS = 10_000;

/** Short, because the benchmark measures starts. */
const POLL_MS = 5;

/** Starts a program. */
export function startChild(
  command: string,
  args: readonly string[],
  { cwd, env, onLine }: ChildOptions,
) {
  const child = spawn(command, args, {
    cwd,
    env,
    // Its own group, so that Ctrl-C only reaches the parent, which stops its children in order.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', onLine);
  }
  // With the exit code, or the name of the signal, when all output was read.
  const ended = once(child, 'close').then(
    ([code, signal]) => (code ?? signal) as number | string,
    String,
  );
  const exited = once(child, 'exit').catch(() => undefined);
  const watchdog = spawnWatchdog(child);
  void ended.then(() => watchdog?.kill('SIGKILL'));
  /** Stops the program, kills its process group if it does not stop, and waits for its end. */
  const stop = async () => {
    const force = setTimeout(killGroup, KILL_AFTER_MS, child);
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT');
    await exited;
    clearTimeout(force);
    // Processes that the program left behind.
    killGroup(child);
    await ended;
  };
  // No signal can be sent to NaN, where the program could not be started.
  return { pid: child.pid ?? NaN, ended, stop };
}

/**
 * Starts a server and waits until it listens on a port, or until a line of its output says that it is ready. If it ends
 * before that, or if `signal` aborts, the error has its output; `name` is the subject of the message.
 */
export async function startServer(
  name: string,
  ready: number | ((line: string) => boolean),
  command: string,
  args: readonly string[],
  options: ChildOptions & { readonly signal?: AbortSignal },
): Promise<Child> {
  const lines: string[] = [];
  const onLine = (line: string) => {
    lines.push(line);
    options.onLine(line);
  };
  const child = startChild(command, args, { ...options, onLine });
  let end: number | string | undefined;
  void child.ended.then((reason) => {
    end = reason;
  });
  while (end === undefined) {
    if (typeof ready === 'number' ? await isListening(ready) : lines.some(ready)) return child;
    if (options.signal?.aborted) end = 'interrupted';
    await delay(POLL_MS);
  }
  await child.stop();
  throw new Error(`${name} did not start (${end}):\n${lines.join('\n')}`);
}

/** Runs a program on the terminal of this one, with more environment variables, and returns its exit code. */
export async function runInherited(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: 'inherit',
    // Windows finds npx only there.
    shell: process.platform === 'win32',
  });
  // Ctrl-C reaches both; the program decides when it ends.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}

/**
 * Kills a process, its children and its group as soon as this process has ended, however it ended: then `read` finds
 * that nobody can write to it. On Windows Node's children end with it.
 */
function spawnWatchdog({ pid }: ChildProcess): ChildProcess | undefined {
  if (pid === undefined || process.platform === 'win32') return undefined;
  const script = 'read -r _; pkill -KILL -P "$1"; kill -s KILL -- "-$1"';
  const watchdog = spawn('sh', ['-c', script, 'sh', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.unref();
  return watchdog;
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has ended.
  }
}

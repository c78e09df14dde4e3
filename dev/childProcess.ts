import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { isListening } from './ports.ts';

/** A child process in its own process group. It is killed when this process exits. */
type Child = ReturnType<typeof startChild>;

/** Options of a program. */
interface ChildOptions {
  readonly cwd: string;
  /** All environment variables of the program. Default: the variables of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Receives each line that the program prints. */
  readonly onLine: (line: string) => void;
}

/** The time after which a program that does not exit is killed, in ms. */
const KILL_AFTER_MS = 10_000;

/** The interval of polling, in ms. It is short, because the benchmark measures the time of a start. */
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
  // Resolves with the exit code or the name of the signal, after all output was read.
  const exitReason = once(child, 'close').then(
    ([code, signal]) => (code ?? signal) as number | string,
    String,
  );
  const exited = once(child, 'exit').catch(() => undefined);
  const watchdog = spawnWatchdog(child);
  void exitReason.then(() => watchdog?.kill('SIGKILL'));
  /** Interrupts the program, kills its process group if it does not exit, and waits for its exit. */
  const stop = async () => {
    const force = setTimeout(killGroup, KILL_AFTER_MS, child);
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT');
    await exited;
    clearTimeout(force);
    // Kill the processes that the program left behind.
    killGroup(child);
    await exitReason;
  };
  // If the program could not be started, its process id is NaN: no signal can be sent to it.
  return { pid: child.pid ?? NaN, exitReason, stop };
}

/**
 * Starts a server and waits until it is ready: until it listens on a port, or prints a line that `ready` accepts. If the
 * server exits earlier, or if `signal` aborts, this throws an error with the server's output. `name` is the subject of the
 * message.
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
  let failure: number | string | undefined;
  void child.exitReason.then((reason) => {
    failure = reason;
  });
  while (failure === undefined) {
    if (typeof ready === 'number' ? await isListening(ready) : lines.some(ready)) return child;
    if (options.signal?.aborted) failure = 'interrupted';
    await delay(POLL_MS);
  }
  await child.stop();
  throw new Error(`${name} did not start (${failure}):\n${lines.join('\n')}`);
}

/** Runs a program on the terminal of this process, with additional environment variables. Returns its exit code. */
export async function runInherited(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: 'inherit',
    // On Windows, only a shell finds npx.
    shell: process.platform === 'win32',
  });
  // Ctrl-C reaches both processes. The program decides when it exits.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}

/**
 * Watchdog: kills a process, its children and its process group when this process exits for any reason. `read` then
 * returns, because the pipe has no writer left. Windows needs no watchdog: there, Node's children exit with it.
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
    // All processes of the group have exited.
  }
}

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A program that runs beside us, in a process group of its own. */
export interface Child {
  /** The id of its process; undefined where it could not be started. */
  readonly pid: number | undefined;
  /** Resolves with the exit code, or the signal's name, once it has ended. */
  readonly ended: Promise<number | string>;
  /** Asks the program to stop, ends its whole group where it does not, and waits until it has. */
  stop(): Promise<void>;
}

const GRACE_MS = 10_000;

/** Starts a program; each line that it prints is handed to `onLine`. */
export function startChild(
  command: string,
  args: readonly string[],
  options: {
    cwd: string;
    env?: Readonly<Record<string, string>>;
    onLine: (line: string) => void;
  },
): Child {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    // A group of its own: Ctrl-C in the terminal reaches us alone, and we stop the children in order.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', options.onLine);
  }
  const ended = new Promise<number | string>((resolve) => {
    child.once('error', (error) => {
      resolve(error.message);
    });
    child.once('close', (code, signal) => {
      resolve(code ?? signal ?? 'ended');
    });
  });
  return { pid: child.pid, ended, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
    const exited = once(child, 'exit');
    child.kill('SIGINT');
    const force = setTimeout(() => {
      signalGroup(child, 'SIGKILL');
    }, GRACE_MS);
    await exited;
    clearTimeout(force);
  }
  // Whatever the program itself left behind.
  signalGroup(child, 'SIGKILL');
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // The group has ended.
  }
}

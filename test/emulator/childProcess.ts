import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A child process in its own process group. */
export interface Child {
  /** The process id; undefined if the program could not be started. */
  readonly pid: number | undefined;
  /** Resolves with the exit code, or the name of the signal, when it has ended. */
  readonly ended: Promise<number | string>;
  /** Stops the program, kills its process group if it does not stop, and waits for its end. */
  stop(): Promise<void>;
}

const GRACE_MS = 10_000;

/** Starts a program; `onLine` gets each line of its output. */
export function startChild(
  command: string,
  args: readonly string[],
  options: {
    cwd: string;
    env?: Readonly<Record<string, string>>;
    /** Whether it gets none of this process's environment variables. */
    isApart?: boolean;
    onLine: (line: string) => void;
  },
): Child {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...(options.isApart ? {} : process.env), ...options.env },
    // Its own group, so that Ctrl-C only reaches the parent, which stops its children in order.
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
  // Processes that the program left behind.
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

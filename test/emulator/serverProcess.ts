import { setTimeout as delay } from 'node:timers/promises';
import { startChild, type Child } from './childProcess.ts';
import { connectsTo, LOOPBACK } from './ports.ts';

/** Longer than any start takes: only a program that neither listens nor ends reaches it. */
const START_LIMIT_MS = 5 * 60_000;

const POLL_MS = 50;

/**
 * Starts a program that listens at a port, and waits until it does. Throws with what it printed when it ends before;
 * `name` is the subject of that sentence.
 */
export async function startServer(
  name: string,
  port: number,
  ...[command, args, options]: Parameters<typeof startChild>
): Promise<Child> {
  const printed: string[] = [];
  const child = startChild(command, args, {
    ...options,
    onLine: (line) => {
      printed.push(line);
      options.onLine(line);
    },
  });
  const started = new AbortController();
  const limit = AbortSignal.timeout(START_LIMIT_MS);
  const late = `nothing listens after ${START_LIMIT_MS / 60_000} minutes`;
  const end = await Promise.race([
    listening(port, AbortSignal.any([started.signal, limit])).then((is) => (is ? undefined : late)),
    child.ended,
  ]);
  started.abort();
  if (end === undefined) return child;
  await child.stop();
  // Only now has the last line been read.
  await child.ended;
  throw new Error(`${name} did not start (${end}):\n${printed.join('\n')}`);
}

/** Resolves with `true` once something listens at the port, with `false` when it is given up before. */
async function listening(port: number, givenUp: AbortSignal): Promise<boolean> {
  while (!givenUp.aborted) {
    if (await connectsTo(LOOPBACK, port)) return true;
    await delay(POLL_MS);
  }
  return false;
}

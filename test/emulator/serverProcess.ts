import { setTimeout as delay } from 'node:timers/promises';
import { startChild, type Child } from './childProcess.ts';
import { connectsTo, LOOPBACK } from './ports.ts';

/** Only a program that neither listens nor ends takes this long. */
const START_LIMIT_MS = 5 * 60_000;

const POLL_MS = 50;

/**
 * Starts a server and waits until it listens on its port. If it ends before that, the error has its output; `name` is
 * the subject of the message.
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
  // All output has been read by now.
  await child.ended;
  throw new Error(`${name} did not start (${end}):\n${printed.join('\n')}`);
}

/** Resolves with `true` when something listens on the port, or with `false` if aborted before. */
async function listening(port: number, givenUp: AbortSignal): Promise<boolean> {
  while (!givenUp.aborted) {
    if (await connectsTo(LOOPBACK, port)) return true;
    await delay(POLL_MS);
  }
  return false;
}

import { join } from 'node:path';
import { startChild, type Child } from './childProcess.ts';
import { aborted } from './interruption.ts';
import { freePortList, LOOPBACK } from './ports.ts';
import { ROOT } from './root.ts';

/** Longer than any start takes: only a start that hangs reaches it. */
const START_LIMIT_MS = 10 * 60_000;

/** How long one function may take to load, in seconds, on the slowest machine. The CLI's own limits are 10 and 30. */
const LOAD_LIMIT_SECONDS = 300;

/**
 * How many calls the Functions emulator serves at once; others wait. It starts a process for each call that finds none
 * idle, and its own limit, 50 processes, keeps a small machine busy for longer than Hosting waits for an answer.
 */
const PARALLEL_CALLS = 4;

/** Changes to the CLI's own process, each loaded before it. */
const PRELOADED = ['malformedEscapes.ts', 'startFailure.ts', 'earlyResponse.ts'];

/** What emulators of the firebase CLI are to be started. */
export interface EmulatorOptions {
  readonly projectId: string;
  /** The firebase.json that they read; its folder is the project's root. */
  readonly config: string;
  readonly emulators: readonly string[];
  /** `host:port` of the Firestore that the functions use. */
  readonly firestoreHost: string;
  /** Aborted when the start is to be given up. */
  readonly signal: AbortSignal;
  /** Told what the emulators print once they are ready. */
  readonly onLog: (line: string) => void;
}

/**
 * Free ports for what the CLI starts beside the emulators that it was asked for: a part of `emulators` in firebase.json.
 * The CLI itself would look for free ones long before it takes them: of two that start together, one fails.
 */
export async function internalPorts(): Promise<
  Readonly<Record<string, { readonly host: string; readonly port: number }>>
> {
  const names = ['hub', 'logging', 'eventarc', 'tasks'];
  const ports = await freePortList(names.length);
  return Object.fromEntries(names.map((name, index) => [name, at(ports[index] ?? 0)]));
}

/** Where an emulator is to listen, as firebase.json says it. */
export function at(port: number): { readonly host: string; readonly port: number } {
  return { host: LOOPBACK, port };
}

/** Starts emulators of the firebase CLI; throws with what they printed when they do not become ready. */
export async function startEmulators({
  projectId,
  config,
  emulators,
  firestoreHost,
  signal,
  onLog,
}: EmulatorOptions): Promise<Child> {
  const printed: string[] = [];
  const { promise: ready, resolve: isReady } = Promise.withResolvers<'ready'>();
  let onLine = (line: string) => {
    printed.push(line);
    if (line.includes('All emulators ready')) isReady('ready');
  };
  const cli = startChild(
    process.execPath,
    [
      ...PRELOADED.flatMap((file) => ['--import', join(ROOT, 'test/emulator', file)]),
      join(ROOT, 'node_modules/firebase-tools/lib/bin/firebase.js'),
      ...['emulators:start', '--only', emulators.join()],
      ...['--project', projectId, '--config', config],
    ],
    {
      cwd: ROOT,
      env: {
        FIRESTORE_EMULATOR_HOST: firestoreHost,
        FUNCTIONS_DISCOVERY_TIMEOUT: String(LOAD_LIMIT_SECONDS),
        FUNCTIONS_EMULATOR_PARALLEL: String(PARALLEL_CALLS),
        // Neither Google's metadata server nor npm is there to be asked.
        METADATA_SERVER_DETECTION: 'none',
        NO_UPDATE_NOTIFIER: '1',
        CI: '1',
      },
      onLine: (line) => {
        onLine(line);
      },
    },
  );

  const late = AbortSignal.timeout(START_LIMIT_MS);
  const end = await Promise.race([
    ready,
    cli.ended,
    aborted(signal).then(() => 'interrupted'),
    aborted(late).then(() => `not ready after ${START_LIMIT_MS / 60_000} minutes`),
  ]);
  if (end !== 'ready') {
    await cli.stop();
    throw new Error(`The Firebase emulators did not start (${end}):\n${printed.join('\n')}`);
  }
  onLine = onLog;
  return cli;
}

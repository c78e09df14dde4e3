import { watchFile } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { overRest } from './adminSdk.ts';
import { startServer, type Child } from './childProcess.ts';
import { freePortList, LOOPBACK } from './ports.ts';
import { ROOT } from './root.ts';

/** How long one function may take to load, in seconds, on the slowest machine. The CLI's own limits are 10 and 30. */
const LOAD_LIMIT_SECONDS = 300;

/**
 * How many calls the Functions emulator serves at once; others wait. It starts a process for each call that finds none
 * idle. With its own limit of 50 processes a small machine takes longer than Hosting waits for a response.
 */
const PARALLEL_CALLS = 4;

/** Which emulators to start, and how. */
export interface EmulatorOptions {
  readonly projectId: string;
  /** The firebase.json that they read; its folder is the project's root. */
  readonly config: string;
  readonly emulators: readonly string[];
  /** `host:port` of the Firestore that the functions use. */
  readonly firestoreHost: string;
  /** Whether that Firestore is the embedded one. */
  readonly isEmbedded?: boolean;
  /** Google's Firestore emulator, for the emulator `firestore`. */
  readonly firestoreArchive?: string;
  /** Aborts the start. */
  readonly signal: AbortSignal;
  /** Gets the output of the emulators after they are ready. */
  readonly onLog: (line: string) => void;
}

/**
 * The part `emulators` of a firebase.json with these ports, and free ones for the additional servers of the CLI. The CLI
 * itself looks for free ports long before it uses them, so that one of two simultaneous starts would fail.
 */
export async function emulatorsAt(ports: Readonly<Record<string, number>>): Promise<object> {
  const [hub, logging, eventarc, tasks] = await freePortList(4);
  const addresses = Object.entries({ ...ports, hub, logging, eventarc, tasks }).map(
    ([name, port]) => [name, { host: LOOPBACK, port }],
  );
  return { ui: { enabled: false }, ...(Object.fromEntries(addresses) as object) };
}

/** Starts emulators of the Firebase CLI; if they fail to start, the error has their output. */
export async function startEmulators({
  projectId,
  config,
  emulators,
  firestoreHost,
  isEmbedded,
  firestoreArchive,
  signal,
  onLog,
}: EmulatorOptions): Promise<Child> {
  // The CLI leaves the sockets of the functions there.
  const temporary = await mkdtemp(join(tmpdir(), 'stack-'));
  const remove = () => rm(temporary, { recursive: true, force: true });
  let isReady = false;
  try {
    const cli = await startServer(
      'The Firebase emulators',
      (line) => line.includes('All emulators ready'),
      process.execPath,
      [
        join(ROOT, 'node_modules/firebase-tools/lib/bin/firebase.js'),
        ...['emulators:start', '--only', emulators.join()],
        ...['--project', projectId, '--config', config],
      ],
      {
        cwd: ROOT,
        env: {
          TMPDIR: temporary,
          FIRESTORE_EMULATOR_HOST: firestoreHost,
          ...(isEmbedded && (await overRest(temporary))),
          ...(firestoreArchive && { FIRESTORE_EMULATOR_BINARY_PATH: firestoreArchive }),
          FUNCTIONS_DISCOVERY_TIMEOUT: String(LOAD_LIMIT_SECONDS),
          FUNCTIONS_EMULATOR_PARALLEL: String(PARALLEL_CALLS),
          // Do not call Google's metadata server or npm.
          METADATA_SERVER_DETECTION: 'none',
          NO_UPDATE_NOTIFIER: '1',
          CI: '1',
        },
        signal,
        onLine: (line) => {
          if (isReady) onLog(line);
        },
      },
    );
    isReady = true;
    return { ...cli, stop: () => cli.stop().then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Tells of changes of a firebase.json, which the Hosting emulator reads only when it starts. */
export function announceChanges(file: string, onLog: (line: string) => void): void {
  watchFile(file, { interval: 500, persistent: false }, () => {
    onLog('firebase.json has changed: press Ctrl-C and run npm start again to serve new rewrites.');
  });
}

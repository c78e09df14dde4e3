import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createAdminSdkEnvironment } from './adminSdkEnvironment.ts';
import { startServer, type Child } from './childProcess.ts';
import { findFreePorts, LOOPBACK } from './ports.ts';
import { ROOT } from './root.ts';
import type { OnStop, StackOptions } from './stackOptions.ts';

const FIREBASE_JSON = join(ROOT, 'firebase.json');

/** How long one function may take to load, in seconds, on the slowest machine. The CLI's own limits are 10 and 30. */
const LOAD_LIMIT_SECONDS = 300;

/**
 * How many calls the Functions emulator serves at once; others wait. It starts a process for each call that finds none
 * idle. With its own limit of 50 processes a small machine takes longer than Hosting waits for a response.
 */
const PARALLEL_CALLS = 4;

/** What the emulators of the Firebase CLI serve, besides what the stack is asked for. */
export interface EmulatorOptions extends StackOptions {
  /** The built functions. */
  readonly functionsFolder: string;
  /** What Hosting serves. */
  readonly hostingFolder: string;
  /** `host:port` of the Firestore that the functions use. */
  readonly firestoreHost: string;
  /** Whether that Firestore is the embedded one. */
  readonly isEmbedded: boolean;
}

/**
 * Starts the Auth, Functions and Hosting emulators; if they fail to start, the error has their output. `defer` gets what
 * stops them and removes their files.
 */
export async function startEmulators(options: EmulatorOptions, onStop: OnStop): Promise<Child> {
  const { projectId, firestoreHost, isEmbedded, signal, onLog } = options;
  // The CLI leaves the sockets of the functions there.
  const temporary = await mkdtemp(join(tmpdir(), 'stack-'));
  onStop(() => rm(temporary, { recursive: true, force: true }));
  const config = await writeConfig(options);
  onStop(() => rm(config, { force: true }));
  let isReady = false;
  const cli = await startServer(
    'The Firebase emulators',
    (line) => line.includes('All emulators ready'),
    process.execPath,
    [
      join(ROOT, 'node_modules/firebase-tools/lib/bin/firebase.js'),
      ...['emulators:start', '--only', 'auth,functions,hosting'],
      ...['--project', projectId, '--config', config],
    ],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        TMPDIR: temporary,
        FIRESTORE_EMULATOR_HOST: firestoreHost,
        ...(isEmbedded && (await createAdminSdkEnvironment(temporary, projectId))),
        FUNCTIONS_DISCOVERY_TIMEOUT: String(LOAD_LIMIT_SECONDS),
        // Through a file, not a port that the CLI asks again and again: 3 s less at the start and after each change.
        FIREBASE_FUNCTIONS_DISCOVERY_OUTPUT_PATH: 'true',
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
  onStop(() => cli.stop());
  return cli;
}

/** The parts of firebase.json that differ on a local stack. */
interface FirebaseConfig {
  readonly functions: readonly [{ source: string }];
  readonly hosting: {
    public: string;
    readonly headers: readonly { readonly headers: readonly { key: string; value: string }[] }[];
  };
}

/**
 * Writes a copy of firebase.json with the ports and functions of this stack to the same folder, because the CLI uses
 * the folder of the file as the project's root.
 */
async function writeConfig({
  ports,
  functionsFolder,
  hostingFolder,
}: EmulatorOptions): Promise<string> {
  const config = JSON.parse(await readFile(FIREBASE_JSON, 'utf8')) as FirebaseConfig;
  config.functions[0].source = relative(ROOT, functionsFolder);
  config.hosting.public = relative(ROOT, hostingFolder);
  for (const header of config.hosting.headers.flatMap(({ headers }) => headers)) {
    // On the local stack the pages sign in at the Auth emulator, and show the images of the demo data.
    header.value = header.value
      .replace("connect-src 'self'", `connect-src 'self' http://${LOOPBACK}:${ports.auth}`)
      .replace("img-src 'self'", `img-src 'self' http://${LOOPBACK}:${ports.hosting}`);
  }
  // The CLI looks for free ports long before it uses them, so that one of two simultaneous starts would fail.
  const [hub, logging, eventarc, tasks] = await findFreePorts(4);
  const emulators = Object.entries({ ...ports, hub, logging, eventarc, tasks }).map(
    ([name, port]) => [name, { host: LOOPBACK, port }] as const,
  );
  const path = join(ROOT, `.stack-${ports.hosting}.json`);
  const local = { ...Object.fromEntries(emulators), ui: { enabled: false } };
  await writeFile(path, JSON.stringify({ ...config, emulators: local }));
  return path;
}

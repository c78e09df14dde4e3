import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createAdminSdkEnvironment } from './adminSdkEnvironment.ts';
import { startServer } from './childProcess.ts';
import { parseFirebaseConfig } from './configFiles.ts';
import { findFreePorts, LOOPBACK, type StackPorts } from './ports.ts';
import { ROOT } from './root.ts';
import type { OnStop, StackOptions } from './stackOptions.ts';

/** Timeout of loading the functions, for the slowest machine. The CLI's own timeouts are 10 and 30 s. */
const LOAD_TIMEOUT_SECONDS = 300;

/**
 * The number of calls that the Functions emulator serves at the same time. It starts a process for each call that finds no
 * idle process. With its default of 50 processes, a small machine takes longer than the timeout of Hosting.
 */
const PARALLEL_CALLS = 4;

/** Maximum length of a socket's path, without the final zero (`sun_path` in unix(7)). */
const MAX_SOCKET_PATH_BYTES = process.platform === 'darwin' ? 103 : 107;

/** The number of lines that an error quotes from the end of the CLI's debug log. */
const MAX_QUOTED_LINES = 30;

/** An example of a socket's path below the folder for temporary files. All sockets of the Functions emulator have this length. */
const SOCKET_PATH = '/stack-abcdef/fire_emu_0123456789abcdef.sock';

/** The running emulators. */
interface Emulators {
  /** Resolves with a message when the CLI exits unexpectedly. */
  readonly failed: Promise<string>;
}

/** Options of the emulators of the Firebase CLI. */
interface EmulatorOptions extends StackOptions {
  /** The built functions. */
  readonly functionsFolder: string;
  /** The folder that Hosting serves. */
  readonly hostingFolder: string;
  /** `host:port` of the Firestore that the functions use. */
  readonly firestoreHost: string;
  /** True if that Firestore is the embedded one. */
  readonly isEmbedded: boolean;
}

/** Throws if the path of the folder for temporary files is too long for sockets: calls of functions would never return. */
export function assertSocketsFit(folder = tmpdir()): void {
  const maxBytes = MAX_SOCKET_PATH_BYTES - SOCKET_PATH.length;
  // Windows has named pipes instead.
  if (process.platform === 'win32' || Buffer.byteLength(folder) <= maxBytes) return;
  throw new Error(
    `The folder for temporary files is too long for sockets: ${folder}. Set TMPDIR to a folder of at most ${maxBytes} characters, such as /tmp.`,
  );
}

/**
 * Starts the Auth, Functions and Hosting emulators. If they fail to start, the error contains their output, and the end of
 * the CLI's debug log. `onStop` receives the functions that stop them and remove their files.
 */
export async function startEmulators(options: EmulatorOptions, onStop: OnStop): Promise<Emulators> {
  const { projectId, firestoreHost, isEmbedded, signal, onLog } = options;
  // The CLI creates the sockets of the functions there, and does not remove them.
  const temporary = await mkdtemp(join(tmpdir(), 'stack-'));
  onStop(() => rm(temporary, { recursive: true, force: true }));
  const config = await writeConfig(options);
  onStop(() => rm(config, { force: true }));
  const log = join(temporary, 'firebase-debug.log');
  let isReady = false;
  const cli = await startServer(
    'The Firebase emulators',
    (line) => line.includes('All emulators ready'),
    process.execPath,
    [
      '--import',
      pathToFileURL(join(ROOT, 'dev/compileSchemasLazily.ts')).href,
      join(ROOT, 'node_modules/firebase-tools/lib/bin/firebase.js'),
      'emulators:start',
      '--only',
      'auth,functions,hosting',
      '--project',
      projectId,
      '--config',
      config,
    ],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        // The CLI loads the functions with the first `node` in PATH, and starts without functions if that is too old.
        PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
        TMPDIR: temporary,
        FIREBASE_DEBUG_PATH: log,
        FIRESTORE_EMULATOR_HOST: firestoreHost,
        ...(isEmbedded && (await createAdminSdkEnvironment(temporary, projectId))),
        FUNCTIONS_DISCOVERY_TIMEOUT: String(LOAD_TIMEOUT_SECONDS),
        // The CLI reads the manifest from a file instead of polling a port. That saves 3 s at the start and after each change.
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
  ).catch(async (error: unknown) => {
    throw new Error(await appendLogEnd((error as Error).message, log), { cause: error });
  });
  isReady = true;
  onStop(() => cli.stop());
  return {
    failed: cli.exitReason.then((reason) =>
      appendLogEnd(`The Firebase emulators exited unexpectedly (${reason}).`, log),
    ),
  };
}

/** Appends the end of the CLI's debug log to a message: the CLI does not print the causes of its crashes. */
export async function appendLogEnd(message: string, logPath: string): Promise<string> {
  const text = (await readFile(logPath, 'utf8').catch(() => '')).trimEnd();
  if (text === '') return message;
  const lines = text.split('\n').slice(-MAX_QUOTED_LINES);
  return `${message}\nThe end of the debug log of the Firebase CLI:\n${lines.join('\n')}`;
}

/**
 * Writes a copy of firebase.json with the ports and folders of this stack. The copy is in the same folder, because the CLI
 * uses the folder of the file as the project's root.
 */
async function writeConfig({
  ports,
  functionsFolder,
  hostingFolder,
}: EmulatorOptions): Promise<string> {
  const { functions, hosting, ...config } = parseFirebaseConfig();
  const headers = hosting.headers?.map((rule) => ({
    ...rule,
    headers: rule.headers?.map(({ key, value }) => ({
      key,
      value: allowLocalOrigins(value, ports),
    })),
  }));
  const source = relative(ROOT, functionsFolder);
  // The CLI looks for free ports long before it uses them: without these ports, one of two simultaneous starts would fail.
  const [hub, logging, eventarc, tasks] = await findFreePorts(4);
  const emulators = Object.entries({ ...ports, hub, logging, eventarc, tasks }).map(
    ([name, port]) => [name, { host: LOOPBACK, port }] as const,
  );
  const path = join(ROOT, `.stack-${ports.hosting}.json`);
  const local = {
    ...config,
    functions: functions.map((codebase, index) =>
      index === 0 ? { ...codebase, source } : codebase,
    ),
    hosting: { ...hosting, public: relative(ROOT, hostingFolder), headers },
    emulators: { ...Object.fromEntries(emulators), ui: { enabled: false } },
  };
  await writeFile(path, JSON.stringify(local));
  return path;
}

/** Extends a Content-Security-Policy: local pages sign in at the Auth emulator, and show the images of the demo data. */
function allowLocalOrigins(header: string, ports: StackPorts): string {
  return header
    .replace("connect-src 'self'", `connect-src 'self' http://${LOOPBACK}:${ports.auth}`)
    .replace("img-src 'self'", `img-src 'self' http://${LOOPBACK}:${ports.hosting}`);
}

import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startChild, type Child } from './childProcess.ts';
import { completeHosting } from '../hosting/complete.ts';
import { serveDemo } from '../demo/served.ts';
import { startEmbeddedFirestore } from './firestore/server.ts';
import { aborted } from './interruption.ts';
import { LOOPBACK, requireFree, type StackPorts } from './ports.ts';

/** The project's root: npm runs every script there, and jest is run there. */
export const ROOT = process.cwd();

const READY_WITHIN_MS = 120_000;

/** What a local stack is to be made of. */
export interface StackOptions {
  /** Starts with `demo-`, so that no emulator ever reaches out to a real project. */
  readonly projectId: string;
  readonly ports: StackPorts;
  /** Whether to build again, and load again, after each change of the source. */
  readonly watch: boolean;
  /** Aborted when the start is to be given up. */
  readonly signal: AbortSignal;
  /** Told what is being done, a sentence each. */
  readonly onStep: (step: string) => void;
  /** Told what the emulators print once they are ready: the functions' logs among it. */
  readonly onLog: (line: string) => void;
}

/** A running local stack. */
export interface Stack {
  readonly projectId: string;
  /** What an app calls: Hosting's address, ending in `/api`. */
  readonly baseAddress: string;
  /** Where a function answers by its own name: `${functionsAddress}/flash-listByArtist`. */
  readonly functionsAddress: string;
  /** `host:port` of the Auth emulator. */
  readonly authHost: string;
  /** `host:port` of the Firestore that the functions use. */
  readonly firestoreHost: string;
  /** Resolves with a sentence when a part of the stack has ended by itself. */
  readonly failed: Promise<string>;
  /** Stops everything; the ports are free afterwards. */
  stop(): Promise<void>;
}

/**
 * Builds the functions and starts Firestore and the Auth, Functions and Hosting emulators. Where
 * `FIRESTORE_EMULATOR_HOST` is set, that Firestore is used instead of the embedded one. Whatever was started
 * is stopped again when something fails on the way.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const started: { stop(): Promise<void> }[] = [];
  const stop = async () => {
    for (const part of started.splice(0).reverse()) await part.stop();
  };
  try {
    const { firestore, ...emulators } = options.ports;
    const given = process.env.FIRESTORE_EMULATOR_HOST;
    await requireFree(given === undefined ? { ...emulators, firestore } : emulators);

    options.onStep('Building the functions');
    await Promise.all([buildFunctions(), completeHosting(ROOT), serveDemo(ROOT)]);
    options.signal.throwIfAborted();
    if (options.watch) started.push(watchFunctions(options.onLog));

    let firestoreHost = given;
    if (firestoreHost === undefined) {
      options.onStep('Starting the embedded Firestore');
      const embedded = await startEmbeddedFirestore({ host: LOOPBACK, port: firestore });
      started.push(embedded);
      firestoreHost = embedded.address;
    }

    options.onStep('Starting the Auth, Functions and Hosting emulators');
    const cli = await startEmulators(options, firestoreHost, started);
    return {
      projectId: options.projectId,
      baseAddress: `http://${LOOPBACK}:${emulators.hosting}/api`,
      functionsAddress: `http://${LOOPBACK}:${emulators.functions}/${options.projectId}/us-central1`,
      authHost: `${LOOPBACK}:${emulators.auth}`,
      firestoreHost,
      failed: cli.ended.then((end) => `The Firebase emulators ended by themselves (${end}).`),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Builds `functions/lib/index.cjs`; throws with what the compiler says. */
export async function buildFunctions(): Promise<void> {
  await promisify(execFile)(process.execPath, ['build.js'], { cwd: join(ROOT, 'functions') });
}

function watchFunctions(onLog: (line: string) => void): Child {
  return startChild(process.execPath, ['build.js', '--watch'], {
    cwd: join(ROOT, 'functions'),
    onLine: onLog,
  });
}

async function startEmulators(
  { projectId, ports, signal, onLog }: StackOptions,
  firestoreHost: string,
  started: { stop(): Promise<void> }[],
): Promise<Child> {
  const config = await writeConfig(ports);
  started.push({ stop: () => rm(config, { force: true }) });

  const printed: string[] = [];
  const { promise: ready, resolve: isReady } = Promise.withResolvers<'ready'>();
  let onLine = (line: string) => {
    printed.push(line);
    if (line.includes('All emulators ready')) isReady('ready');
  };
  const cli = startChild(
    process.execPath,
    [
      ...['--import', join(ROOT, 'test/emulator/malformedEscapes.ts')],
      join(ROOT, 'node_modules/firebase-tools/lib/bin/firebase.js'),
      ...['emulators:start', '--only', 'auth,functions,hosting'],
      ...['--project', projectId, '--config', config],
    ],
    {
      cwd: ROOT,
      env: {
        FIRESTORE_EMULATOR_HOST: firestoreHost,
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
  started.push(cli);

  const late = AbortSignal.timeout(READY_WITHIN_MS);
  const end = await Promise.race([
    ready,
    cli.ended,
    aborted(signal).then(() => 'interrupted'),
    aborted(late).then(() => `not ready after ${READY_WITHIN_MS / 1000} s`),
  ]);
  if (end !== 'ready') {
    throw new Error(`The Firebase emulators did not start (${end}):\n${printed.join('\n')}`);
  }
  onLine = onLog;
  return cli;
}

/** The parts of firebase.json that a stack looks into. */
interface FirebaseConfig {
  readonly hosting: {
    readonly headers: readonly { readonly headers: readonly { key: string; value: string }[] }[];
  };
}

/** firebase.json with the ports of this stack, beside it: the CLI takes a project's root from where its file lies. */
async function writeConfig(ports: StackPorts): Promise<string> {
  const config = JSON.parse(await readFile(join(ROOT, 'firebase.json'), 'utf8')) as FirebaseConfig;
  for (const { headers } of config.hosting.headers) {
    for (const header of headers) {
      // Only here do the pages sign in at the Auth emulator, and show the pictures of the demo data.
      header.value = header.value
        .replace("connect-src 'self'", `connect-src 'self' http://${LOOPBACK}:${ports.auth}`)
        .replace("img-src 'self'", `img-src 'self' http://${LOOPBACK}:${ports.hosting}`);
    }
  }
  const at = (port: number) => ({ host: LOOPBACK, port });
  const path = join(ROOT, `.stack-${ports.hosting}.json`);
  await writeFile(
    path,
    JSON.stringify({
      ...config,
      emulators: {
        auth: at(ports.auth),
        functions: at(ports.functions),
        hosting: at(ports.hosting),
        ui: { enabled: false },
      },
    }),
  );
  return path;
}

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { startChild } from './childProcess.ts';
import { serveDemo } from './demo/served.ts';
import { completeHosting } from './hosting/complete.ts';
import { at, internalPorts, startEmulators } from './firebaseCli.ts';
import { startEmbeddedFirestore } from './firestore/server.ts';
import { buildFunctions, buildFunctionsApart, FUNCTIONS } from './functionsBuild.ts';
import { LOOPBACK, requireFree, type StackPorts } from './ports.ts';
import { ROOT } from './root.ts';

export { ROOT };

/** What a local stack is to be made of. */
export interface StackOptions {
  /** Starts with `demo-`, so that no emulator ever reaches out to a real project. */
  readonly projectId: string;
  readonly ports: StackPorts;
  /**
   * Whether to build into `functions/lib` and serve that, again after each change of the source. Otherwise the stack
   * serves a build of its own, which nothing else changes.
   */
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
  /** The built functions' package that is served. */
  readonly functionsFolder: string;
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
    await Promise.all([completeHosting(ROOT), serveDemo(ROOT)]);
    const functionsFolder = await build(options, started);
    options.signal.throwIfAborted();

    let firestoreHost = given;
    if (firestoreHost === undefined) {
      options.onStep('Starting the embedded Firestore');
      const embedded = await startEmbeddedFirestore({ host: LOOPBACK, port: firestore });
      started.push(embedded);
      firestoreHost = embedded.address;
    }

    options.onStep('Starting the Auth, Functions and Hosting emulators');
    const config = await writeConfig(options.ports, functionsFolder);
    started.push({ stop: () => rm(config, { force: true }) });
    const cli = await startEmulators({
      ...options,
      config,
      emulators: ['auth', 'functions', 'hosting'],
      firestoreHost,
    });
    started.push(cli);
    return {
      projectId: options.projectId,
      functionsFolder,
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

/** Builds the functions; gives the folder that is to be served. */
async function build(
  { watch, onLog }: StackOptions,
  started: { stop(): Promise<void> }[],
): Promise<string> {
  if (!watch) {
    const build = await buildFunctionsApart();
    started.push({ stop: () => build.remove() });
    return build.folder;
  }
  await buildFunctions();
  const args = [join(FUNCTIONS, 'build.js'), '--watch'];
  started.push(startChild(process.execPath, args, { cwd: ROOT, onLine: onLog }));
  return FUNCTIONS;
}

/** The parts of firebase.json that a stack looks into. */
interface FirebaseConfig {
  readonly functions: readonly [{ source: string }];
  readonly hosting: {
    readonly headers: readonly { readonly headers: readonly { key: string; value: string }[] }[];
  };
}

/**
 * firebase.json with the ports and the functions of this stack, beside it: the CLI takes a project's root from where its
 * file lies.
 */
async function writeConfig(ports: StackPorts, functionsFolder: string): Promise<string> {
  const config = JSON.parse(await readFile(join(ROOT, 'firebase.json'), 'utf8')) as FirebaseConfig;
  config.functions[0].source = relative(ROOT, functionsFolder);
  for (const { headers } of config.hosting.headers) {
    for (const header of headers) {
      // Only here do the pages sign in at the Auth emulator, and show the pictures of the demo data.
      header.value = header.value
        .replace("connect-src 'self'", `connect-src 'self' http://${LOOPBACK}:${ports.auth}`)
        .replace("img-src 'self'", `img-src 'self' http://${LOOPBACK}:${ports.hosting}`);
    }
  }
  const path = join(ROOT, `.stack-${ports.hosting}.json`);
  await writeFile(
    path,
    JSON.stringify({
      ...config,
      emulators: {
        ...(await internalPorts()),
        auth: at(ports.auth),
        functions: at(ports.functions),
        hosting: at(ports.hosting),
        ui: { enabled: false },
      },
    }),
  );
  return path;
}

import { join } from 'node:path';
import { stackAddresses, type StackAddresses } from './addresses.ts';
import { startChild } from './childProcess.ts';
import { serveAccounts } from './demo/served.ts';
import { completeHosting } from './hosting/complete.ts';
import { discover } from './discovery.ts';
import { announceChanges, startEmulators } from './emulators.ts';
import { startEmbeddedFirestore } from './firestore/server.ts';
import {
  findOfficialFirestore,
  startOfficialFirestore,
  type OfficialFirestore,
} from './officialFirestore.ts';
import { buildFunctions, buildFunctionsApart, FUNCTIONS } from './functionsBuild.ts';
import { requireFree, type StackPorts } from './ports.ts';
import { ROOT } from './root.ts';

/** Options of a local stack. */
export interface StackOptions {
  /** Starts with `demo-`, so that no emulator ever calls a real project. */
  readonly projectId: string;
  readonly ports: StackPorts;
  /**
   * Whether to serve `functions/lib` and rebuild it after each change of the source. Otherwise the stack serves a
   * separate build that does not change.
   */
  readonly watch: boolean;
  /** Whether to start Google's Firestore emulator instead of the embedded Firestore. */
  readonly officialFirestore?: boolean;
  /** Aborts the start. */
  readonly signal: AbortSignal;
  /** Gets a sentence about each step. */
  readonly onStep: (step: string) => void;
  /** Gets the output of the emulators after they are ready, including the functions' logs. */
  readonly onLog: (line: string) => void;
}

/** A running local stack. */
export interface Stack extends StackAddresses {
  /** Resolves with a sentence if a part of the stack has ended unexpectedly. */
  readonly failed: Promise<string>;
  /** Stops everything and frees the ports. */
  stop(): Promise<void>;
}

/**
 * Builds the functions and starts Firestore and the Auth, Functions and Hosting emulators. If a step fails, everything
 * that was started is stopped.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const started: { stop(): Promise<void> }[] = [];
  const stop = async () => {
    for (const part of started.splice(0).reverse()) await part.stop();
  };
  try {
    const addresses = stackAddresses(options.projectId, options.ports);
    const { firestore, ...others } = options.ports;
    const isEmbedded = process.env.FIRESTORE_EMULATOR_HOST === undefined;
    await requireFree(isEmbedded ? { ...others, firestore } : others);
    const isOfficial = isEmbedded && options.officialFirestore === true;
    const official = isOfficial ? await findOfficialFirestore() : undefined;

    options.onStep('Building the functions');
    await Promise.all([completeHosting(), serveAccounts()]);
    const functionsFolder = await build(options, started);
    // The CLI would start without functions that cannot be loaded.
    await discover(functionsFolder);
    options.signal.throwIfAborted();

    const isOfFirebase = official?.isOfFirebase === true;
    if (isEmbedded && !isOfFirebase) started.push(await startFirestore(options, official));

    options.onStep('Starting the Firebase emulators');
    const cli = await startEmulators({
      ...options,
      functionsFolder,
      firestoreHost: addresses.firestoreHost,
      isEmbedded: isEmbedded && !isOfficial,
      firestoreArchive: isOfFirebase ? official.archive : undefined,
    });
    started.push(cli);
    if (options.watch) announceChanges(options.onLog);
    return {
      ...addresses,
      failed: cli.ended.then((end) => `The Firebase emulators ended unexpectedly (${end}).`),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts the Firestore of a stack in which the Firebase CLI does not. */
async function startFirestore(
  { ports, onStep, onLog }: StackOptions,
  official: OfficialFirestore | undefined,
): Promise<{ stop(): Promise<void> }> {
  if (official === undefined) {
    onStep('Starting the embedded Firestore');
    return startEmbeddedFirestore(ports.firestore, onLog);
  }
  onStep(
    'Starting Google’s Firestore emulator of the Google Cloud CLI. Triggers need that of the Firebase CLI, and Java 21',
  );
  return startOfficialFirestore(official, ports.firestore);
}

/** Builds the functions and returns the folder to serve. */
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

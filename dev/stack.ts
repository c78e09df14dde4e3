import './unsetProxy.ts';
import { join } from 'node:path';
import { startEmbeddedFirestore } from '@tattoo-marketplace/firestore-embedded';
import { getStackAddresses } from './addresses.ts';
import { startChild } from './childProcess.ts';
import { parseFirebaseConfig, parseIndexes } from './configFiles.ts';
import { writeDemoPageData } from '../demo/writeDemoPageData.ts';
import { buildLocalHosting } from './hosting/buildHosting.ts';
import { assertEmulatorReachable, getEmulatorHost } from './emulatorHost.ts';
import { assertSocketsFit, startEmulators } from './emulators.ts';
import {
  buildFunctions,
  buildFunctionsToTempFolder,
  loadFunctionsManifest,
  FUNCTIONS,
} from './functionsBuild.ts';
import { assertPortsFree } from './ports.ts';
import { ROOT } from './root.ts';
import type { OnStop, StackOptions } from './stackOptions.ts';

/** A running local stack. */
export type Stack = Awaited<ReturnType<typeof startStack>>;

/**
 * Builds the functions, and starts the embedded Firestore and the Auth, Functions and Hosting emulators. If
 * `FIRESTORE_EMULATOR_HOST` names a Firestore, the stack uses it instead of the embedded one. If a step fails, everything
 * that was started is stopped.
 */
export async function startStack(options: StackOptions) {
  const { ports, signal, onStep, onLog } = options;
  const addresses = getStackAddresses(options.projectId, ports);
  const isEmbedded = getEmulatorHost() === undefined;
  const stops: (() => Promise<unknown>)[] = [];
  const onStop: OnStop = (stop) => {
    stops.push(stop);
  };
  const stop = async () => {
    for (const stopPart of stops.splice(0).reverse()) await stopPart();
  };
  try {
    const { firestore, ...otherPorts } = ports;
    await assertPortsFree(isEmbedded ? ports : otherPorts);
    await assertEmulatorReachable();
    assertSocketsFit();
    parseFirebaseConfig();
    parseIndexes();

    onStep('Building the functions');
    const hostingFolder = await buildLocalHosting(`local-${ports.hosting}`, options, onStop);
    await writeDemoPageData(hostingFolder, addresses.authHost);
    const functionsFolder = await buildOrWatch(options, onStop);
    // Fails if the functions cannot be loaded: the CLI would start without them.
    await loadFunctionsManifest(functionsFolder);
    signal.throwIfAborted();

    if (isEmbedded) {
      onStep('Starting the embedded Firestore');
      const embedded = await startEmbeddedFirestore({
        readIndexes: () => parseIndexes().indexes,
        port: firestore,
        onWarning: onLog,
      });
      onStop(() => embedded.stop());
    }

    onStep('Starting the Firebase emulators');
    const { firestoreHost } = addresses;
    const emulators = await startEmulators(
      { ...options, functionsFolder, hostingFolder, firestoreHost, isEmbedded },
      onStop,
    );
    return {
      ...addresses,
      /** True if the stack uses the embedded Firestore. */
      isEmbedded,
      /** Resolves with a message when a part of the stack exits unexpectedly. */
      failed: emulators.failed,
      /** Stops everything and frees the ports. */
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Builds the functions, and with `watch` rebuilds them after each change. Returns the folder to serve. */
async function buildOrWatch({ watch, onLog }: StackOptions, onStop: OnStop): Promise<string> {
  if (!watch) {
    const built = await buildFunctionsToTempFolder();
    onStop(() => built.remove());
    return built.folder;
  }
  await buildFunctions();
  const args = [join(FUNCTIONS, 'build.js'), '--watch'];
  const watcher = startChild(process.execPath, args, { cwd: ROOT, onLine: onLog });
  onStop(() => watcher.stop());
  return FUNCTIONS;
}
